// Comma-separated values as a table that can be sorted and searched. The order is part of the
// address: "#sort=amount", "#sort=-amount".
import { useMemo, useState } from "preact/hooks";
import { change } from "../../core/location";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { useRows } from "../../parts/useRows";
import { Views } from "../../parts/Views";
import { texts } from "../../texts";
import {
  columnWidths,
  isNumeric,
  type Order,
  parseTable,
  separatorOf,
  sortedRows,
  type Table,
} from "./table";
import "../../parts/rows.css";
import "./csv.css";

const rowHeight = 28; // px, as in csv.css

export default function CsvPage({ uri, where, fragment }: PageProps) {
  const resource = useResource(uri).resource.value;
  const content = resource?.content ?? "";
  const table = useMemo(() => parseTable(content, separatorOf(content)), [content]);
  const order = orderOf(fragment, table.head);
  const sort = (column: number) => {
    const name = encodeURIComponent(table.head[column] ?? "");
    const next = order?.column !== column ? `#sort=${name}` : order.down ? "" : `#sort=-${name}`;
    change(where, uri + next, "replace");
  };
  if (!resource) return null;
  return (
    <Views uri={uri} where={where} fragment={fragment} resource={resource} rendered={texts.csv.table}>
      <TableView table={table} order={order} sort={sort} />
    </Views>
  );
}

function orderOf(fragment: string, head: readonly string[]): Order | null {
  const wanted = /^sort=(-?)(.*)$/s.exec(fragment);
  if (!wanted) return null;
  const column = head.indexOf(wanted[2] ?? "");
  return column < 0 ? null : { column, down: wanted[1] === "-" };
}

interface Props {
  table: Table;
  order: Order | null;
  sort: (column: number) => void;
}

function TableView({ table, order, sort }: Props) {
  const { head, rows } = table;
  const [words, setWords] = useState("");
  const sorted = useMemo(
    () => (order ? sortedRows(rows, order) : rows.map((_, index) => index)),
    [rows, order?.column, order?.down],
  );
  const shown = useMemo(() => {
    const wanted = words.trim().toLowerCase();
    if (wanted === "") return sorted;
    return sorted.filter((index) => rows[index]?.some((field) => field.toLowerCase().includes(wanted)));
  }, [sorted, words]);
  const columns = useMemo(() => {
    const widths = columnWidths(table);
    const first = { id: "row", name: "", width: String(rows.length).length + 4, numeric: true };
    const all = head.map((name, column) => ({
      id: String(column), // two columns may have one name
      name,
      width: widths[column] ?? 10,
      numeric: isNumeric(rows, column),
    }));
    return { all: [first, ...all], width: [first, ...all].reduce((sum, { width }) => sum + width, 0) };
  }, [table]);
  const { scroller, window } = useRows<HTMLElement>({ rows: shown.length, rowHeight });
  const below = window.height - window.top - window.count * rowHeight;
  return (
    <>
      <div class="csv-bar">
        <span class="faint" role="status">
          {texts.csv.count(shown.length, rows.length, head.length)}
          {table.uneven > 0 && ` ${texts.csv.uneven(table.uneven)}`}
        </span>
        <input
          type="search"
          value={words}
          placeholder={texts.csv.filter}
          aria-label={texts.csv.filter}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      <section class="rows fills csv" ref={scroller} {...{ tabIndex: 0 }} aria-label={texts.csv.table}>
        <table aria-rowcount={rows.length + 1} style={{ width: `${columns.width}ch` }}>
          <colgroup>
            {columns.all.map(({ id, width }) => (
              <col key={id} style={{ width: `${width}ch` }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" class="number">
                {texts.csv.row}
              </th>
              {columns.all.slice(1).map(({ id, name, numeric }, column) => (
                <th key={id} scope="col" class={numeric ? "number" : ""} aria-sort={sortOf(order, column)}>
                  <button type="button" onClick={() => sort(column)} title={name}>
                    {name || "–"}
                    <span class="arrow" aria-hidden="true">
                      {order?.column === column ? (order.down ? "↓" : "↑") : ""}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap height={window.top} />
            {shown.slice(window.first, window.first + window.count).map((index, at) => (
              <tr key={index} aria-rowindex={window.first + at + 2}>
                <th scope="row" class="number">
                  {index + 1}
                </th>
                {columns.all.slice(1).map(({ id, numeric }, column) => {
                  const field = rows[index]?.[column] ?? "";
                  return (
                    <td
                      key={id}
                      class={numeric ? "number" : ""}
                      title={field.length > 40 ? field : undefined}
                    >
                      {field}
                    </td>
                  );
                })}
              </tr>
            ))}
            <Gap height={below} />
          </tbody>
        </table>
      </section>
    </>
  );
}

// Room for the rows that are not in the page.
function Gap({ height }: { height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row cannot have the focus.
  return height > 0 ? <tr class="gap" aria-hidden="true" style={{ height: `${height}px` }} /> : null;
}

function sortOf(order: Order | null, column: number): "ascending" | "descending" | "none" {
  return order?.column === column ? (order.down ? "descending" : "ascending") : "none";
}
