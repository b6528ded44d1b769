// The board: a column for each status, of what its address says.
import { useRef, useState } from "preact/hooks";
import { Filters } from "../../backlog/Filters";
import { columnOf, type Filter, filterOf, isFiltered } from "../../backlog/filter";
import { move } from "../../backlog/move";
import { NewTaskDialog } from "../../backlog/NewTask";
import { ReadOnly } from "../../backlog/ReadOnly";
import { SavedViews } from "../../backlog/SavedViews";
import { Start } from "../../backlog/Start";
import { boardUri, type Status, statuses, type TaskRow, taskUri } from "../../backlog/types";
import type { Rows } from "../../backlog/useRows";
import { useTaskPages } from "../../backlog/useTaskPages";
import { announce } from "../../core/announce";
import { token } from "../../core/credentials";
import { type Key, useKeys } from "../../core/keys";
import { open } from "../../core/location";
import type { PageProps } from "../../core/registry";
import { choose, settings } from "../../core/settings";
import { Failure } from "../../parts/Notice";
import { texts } from "../../texts";
import { Column } from "./Column";
import { useDrag } from "./useDrag";
import "./board.css";

const pageSize = 200;

export type Handles = Map<Status, Rows>;

export default function BoardPage({ uri, address, where }: PageProps) {
  const filter = filterOf(address.query);
  const element = useRef<HTMLDivElement>(null);
  const handles = useRef<Handles>(new Map());
  const [creating, setCreating] = useState<Status | null>(null);
  const folded = settings.value.folded;
  const drop = (row: TaskRow, status: Status) => void move(row, status);
  const drag = useDrag(element, token.value ? drop : null);
  const within = () => element.current?.closest(".pane") ?? null;
  useKeys(keysOf(handles.current, () => setCreating("open")).map((key) => ({ ...key, within })));
  const fold = (status: Status) =>
    choose({
      folded: folded.includes(status) ? folded.filter((each) => each !== status) : [...folded, status],
    });
  return (
    <div class="board-page">
      <div class="board-tools">
        <Filters base={boardUri} filter={filter} where={where} of="board">
          {token.value && (
            <button type="button" class="primary" onClick={() => setCreating("open")}>
              {texts.newTask.open}
            </button>
          )}
        </Filters>
        <SavedViews uri={uri} where={where} isFiltered={isFiltered(filter)} />
        <ReadOnly />
      </div>
      <Whole filter={filter} />
      <div class="board" ref={element} data-dragging={drag.dragging !== null} onPointerDown={drag.begin}>
        {statuses.map((status) => (
          <Column
            key={status}
            status={status}
            uri={columnOf(filter, status, pageSize)}
            handles={handles.current}
            isFolded={folded.includes(status)}
            fold={() => fold(status)}
            dragging={drag.dragging}
            isTarget={drag.over === status}
            create={() => setCreating(status)}
          />
        ))}
      </div>
      {creating && (
        <NewTaskDialog close={() => setCreating(null)} given={{ ...givenBy(filter), status: creating }} />
      )}
    </div>
  );
}

function givenBy({ parent, label, assignee }: Filter) {
  return {
    ...(parent && parent !== "none" ? { parent } : {}),
    ...(label ? { labels: [label] } : {}),
    ...(assignee && assignee !== "none" ? { assignee } : {}),
  };
}

// What is said of all columns together: that they cannot be read, or that no column has a card.
function Whole({ filter }: { filter: Filter }) {
  const lists = statuses.map((status) => useTaskPages(columnOf(filter, status, pageSize)));
  const failed = lists.map((list) => list.error.value).find((error) => error !== null);
  const isEmpty = lists.every((list) => {
    list.changed.value;
    return list.begun.value && list.total === 0;
  });
  if (failed) return <Failure error={failed} again={() => lists.map((list) => list.reload())} />;
  if (!isEmpty) return null;
  return isFiltered(filter) ? <p class="faint">{texts.tasks.none}</p> : <Start />;
}

// The card that has the focus.
function focused(handles: Handles): { status: Status; rows: Rows; row: TaskRow } | null {
  const id = document.activeElement?.closest<HTMLElement>("[data-id]")?.dataset.id;
  if (!id) return null;
  for (const [status, rows] of handles) {
    const row = rows.pages.row(rows.pages.indexOf(id));
    if (row) return { status, rows, row };
  }
  return null;
}

function stepColumn(handles: Handles, step: number): boolean {
  const from = focused(handles);
  const index = from ? from.rows.pages.indexOf(from.row.id) : 0;
  let at = from ? statuses.indexOf(from.status) + step : 0;
  for (; at >= 0 && at < statuses.length; at += step) {
    const rows = handles.get(statuses[at] as Status);
    const row = rows?.pages.row(Math.min(index, rows.pages.known - 1));
    if (rows && row) return rows.focus(row.id);
  }
  return from !== null;
}

function moveCard(handles: Handles, step: number): boolean {
  const from = focused(handles);
  if (!from || !token.value) return false;
  const status = statuses[statuses.indexOf(from.status) + step];
  if (!status || from.row.malformed) return true;
  void move(from.row, status).then((done) => {
    if (!done) handles.get(from.status)?.focus(from.row.id);
  });
  if (handles.get(status)?.focus(from.row.id) !== true) {
    announce(texts.backlog.moved(from.row.id, texts.backlog.status[status]));
  }
  return true;
}

function keysOf(handles: Handles, create: () => void): Key[] {
  const group = texts.board.title;
  const walk = (step: number) => () => {
    const from = focused(handles);
    return from ? from.rows.move(step) : false;
  };
  const begin = (step: number) => () => {
    const from = focused(handles);
    return from ? from.rows.move(step) : stepColumn(handles, 1);
  };
  const click = (what: string) => () => {
    const card = document.activeElement?.closest("[data-id]");
    const found = card?.querySelector<HTMLElement>(what);
    found?.click();
    return Boolean(found);
  };
  const sideways = (step: number) => () => (focused(handles) ? stepColumn(handles, step) : false);
  const { keyMoveLeft, keyMoveRight, keyLeft, keyRight } = texts.board;
  return [
    { keys: "shift+ArrowRight", group, text: keyMoveRight, run: () => moveCard(handles, 1) },
    { keys: "shift+ArrowLeft", group, text: keyMoveLeft, run: () => moveCard(handles, -1) },
    { keys: "j", group, text: texts.tasks.keyNext, run: begin(1) },
    { keys: "k", group, text: texts.tasks.keyPrevious, run: begin(-1) },
    { keys: "ArrowDown", group, text: texts.tasks.keyNext, run: walk(1) },
    { keys: "ArrowUp", group, text: texts.tasks.keyPrevious, run: walk(-1) },
    { keys: "ArrowRight", group, text: keyRight, run: sideways(1) },
    { keys: "ArrowLeft", group, text: keyLeft, run: sideways(-1) },
    { keys: "Enter", group, text: texts.tasks.keyBeside, run: () => false },
    {
      keys: "o",
      group,
      text: texts.tasks.keyMain,
      run: () => {
        const from = focused(handles);
        return from ? open(taskUri(from.row.id)) : false;
      },
    },
    { keys: "s", group, text: texts.tasks.keyStatus, run: click(".status-picker") },
    { keys: "y", group, text: texts.tasks.keyCopy, run: click(".copy") },
    { keys: "n", group, text: texts.tasks.keyNew, run: () => (token.value ? create() : false) },
  ];
}
