import type { Filter, Sort } from "../../backlog/filter";
import { addressOf } from "../../backlog/filter";
import { Assignee, CriteriaCount, DueText, Labels, PriorityIcon, TypeMark } from "../../backlog/parts";
import { StatusPicker } from "../../backlog/StatusPicker";
import { isOver, type TaskRow, tasksUri, taskUri } from "../../backlog/types";
import type { Rows } from "../../backlog/useRows";
import { AddressLink } from "../../parts/AddressLink";
import { CopyButton } from "../../parts/CopyButton";
import { texts } from "../../texts";

interface Props {
  rows: Rows;
  rowHeight: number;
  look: "wide" | "medium" | "narrow"; // by how much room there is
  filter: Filter;
  where: "main" | "pane";
}

const columns: { name: keyof typeof texts.tasks.columns; sort?: Sort }[] = [
  { name: "status" },
  { name: "id", sort: "id" },
  { name: "title", sort: "title" },
  { name: "priority", sort: "priority" },
  { name: "labels" },
  { name: "assignee" },
  { name: "due", sort: "due" },
  { name: "criteria" },
  { name: "actions" },
];

export function TaskTable({ rows, rowHeight, look, filter, where }: Props) {
  const { pages, segments, active } = rows;
  return (
    <table
      class={`tasks ${look}`}
      aria-label={texts.tasks.title}
      aria-rowcount={pages.count + 1}
      aria-busy={!pages.begun.value}
    >
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ name, sort }) => (
            <th key={name} scope="col" class={`col-${name}`} aria-sort={sortOf(sort, filter)}>
              {sort && !filter.q ? (
                <SortLink name={name} sort={sort} filter={filter} where={where} />
              ) : (
                heading(name)
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {segments.map((segment) => {
          if (segment.kind === "gap")
            return <Gap key={`gap ${segment.at}`} height={segment.rows * rowHeight} />;
          const row = pages.row(segment.index);
          if (!row) return <Waiting key={`waiting ${segment.index}`} height={rowHeight} />;
          return (
            <Row
              key={row.id}
              row={row}
              index={segment.index}
              height={rowHeight}
              isActive={row.id === active}
              setActive={rows.setActive}
            />
          );
        })}
      </tbody>
    </table>
  );
}

function heading(name: (typeof columns)[number]["name"]) {
  const text = texts.tasks.columns[name];
  return name === "actions" || name === "status" ? <span class="unseen">{text}</span> : text;
}

// All are sorted one way: what is due first, urgent first, and so on.
function sortOf(sort: Sort | undefined, filter: Filter): "ascending" | undefined {
  return sort && sort === filter.sort && !filter.q ? "ascending" : undefined;
}

interface SortProps {
  name: (typeof columns)[number]["name"];
  sort: Sort;
  filter: Filter;
  where: "main" | "pane";
}

function SortLink({ name, sort, filter, where }: SortProps) {
  const next = sort === filter.sort ? "rank" : sort;
  return (
    <AddressLink uri={addressOf(tasksUri, { ...filter, sort: next })} where={where} keepPane>
      {texts.tasks.columns[name]}
    </AddressLink>
  );
}

// Room for rows that are not drawn.
function Gap({ height }: { height: number }) {
  return (
    <tr class="gap" style={{ height: `${height}px` }}>
      <td colSpan={columns.length} aria-hidden="true" />
    </tr>
  );
}

function Waiting({ height }: { height: number }) {
  return (
    <tr class="waiting" style={{ height: `${height}px` }}>
      <td colSpan={columns.length}>{texts.pane.loading}</td>
    </tr>
  );
}

interface RowProps {
  row: TaskRow;
  index: number;
  height: number;
  isActive: boolean;
  setActive: (id: string) => void;
}

function Row({ row, index, height, isActive, setActive }: RowProps) {
  const over = isOver(row.status);
  return (
    <tr
      data-id={row.id}
      class={`${isActive ? "active" : ""}${over ? " over" : ""}`}
      aria-rowindex={index + 2}
      style={{ height: `${height}px` }}
      onFocusIn={() => setActive(row.id)}
    >
      <td class="col-status">
        <StatusPicker row={row} bare />
      </td>
      <td class="col-id mono">{row.id}</td>
      <td class="col-title">
        <AddressLink uri={taskUri(row.id)}>{row.title}</AddressLink>
        <TypeMark type={row.type} />
        {row.malformed && <span class="malformed">{texts.backlog.malformed}</span>}
        {row.snippet && <span class="snippet faint">{row.snippet}</span>}
      </td>
      <td class="col-priority">{row.priority && <PriorityIcon priority={row.priority} />}</td>
      <td class="col-labels">
        <Labels labels={row.labels} />
      </td>
      <td class="col-assignee">
        <Assignee name={row.assignee} />
      </td>
      <td class="col-due">
        <DueText due={row.due} over={over} />
      </td>
      <td class="col-criteria">
        <CriteriaCount criteria={row.criteria} />
      </td>
      <td class="col-actions">
        <CopyButton text={taskUri(row.id)} label={texts.pane.copyUri} small />
      </td>
    </tr>
  );
}
