import { useEffect, useRef } from "preact/hooks";
import { StatusIcon } from "../../backlog/parts";
import type { Status } from "../../backlog/types";
import { useRows } from "../../backlog/useRows";
import { token } from "../../core/credentials";
import { useBoxSize } from "../../parts/useBoxSize";
import { texts } from "../../texts";
import type { Handles } from "./BoardPage";
import { Card } from "./Card";

interface Props {
  status: Status;
  uri: string;
  handles: Handles;
  isFolded: boolean;
  fold: () => void;
  dragging: string | null; // the id of the card that is being dragged
  isTarget: boolean; // it would be dropped here
  create: () => void;
}

const cardHeight = 7.1; // rem, with the gap below it

export function Column({ status, uri, handles, isFolded, fold, dragging, isTarget, create }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rem } = useBoxSize(scroller);
  const height = Math.round(cardHeight * rem);
  const rows = useRows({ uri, scroller, rowHeight: height });
  const { pages, segments } = rows;
  handles.set(status, rows);
  useEffect(() => () => void handles.delete(status), []);
  const name = texts.backlog.status[status];
  const count = pages.total;
  return (
    <section class="column" data-status={status} data-folded={isFolded} data-target={isTarget}>
      <header>
        <h2>
          <StatusIcon status={status} /> {name}
          <span class="count">
            {count?.toLocaleString() ?? "…"}
            <span class="unseen"> {texts.board.cards}</span>
          </span>
        </h2>
        {token.value && !isFolded && (
          <button type="button" class="quiet icon" aria-label={texts.board.newIn(name)} onClick={create}>
            +
          </button>
        )}
        <button
          type="button"
          class="quiet icon"
          aria-expanded={!isFolded}
          aria-label={texts.board.fold(name)}
          onClick={fold}
        >
          {isFolded ? "⇥" : "⇤"}
        </button>
      </header>
      <div class="cards" ref={scroller}>
        {!isFolded && (
          <ul aria-label={name} aria-busy={!pages.begun.value}>
            {segments.map((segment) => {
              if (segment.kind === "gap") {
                return (
                  <li
                    key={`gap ${segment.at}`}
                    class="gap"
                    aria-hidden="true"
                    style={{ height: `${segment.rows * height}px` }}
                  />
                );
              }
              const row = pages.row(segment.index);
              return (
                <li
                  key={row?.id ?? `waiting ${segment.index}`}
                  class="slot"
                  style={{ height: `${height}px` }}
                  aria-setsize={pages.count}
                  aria-posinset={segment.index + 1}
                >
                  {row && <Card row={row} isDragged={row.id === dragging} setActive={rows.setActive} />}
                </li>
              );
            })}
          </ul>
        )}
        {pages.begun.value && count === 0 && !pages.error.value && (
          <p class="faint none">{texts.board.none}</p>
        )}
      </div>
    </section>
  );
}
