// The list of tasks: filtered and sorted as its address says.
import { useMemo, useRef, useState } from "preact/hooks";
import { Filters } from "../../backlog/Filters";
import { filterOf, isFiltered, listOf } from "../../backlog/filter";
import { NewTaskDialog } from "../../backlog/NewTask";
import { ReadOnly } from "../../backlog/ReadOnly";
import { SavedViews } from "../../backlog/SavedViews";
import { Start } from "../../backlog/Start";
import { type ProblemsPage, problemsUri, tasksUri, taskUri } from "../../backlog/types";
import { useRows } from "../../backlog/useRows";
import { token } from "../../core/credentials";
import { type Key, useKeys } from "../../core/keys";
import { open } from "../../core/location";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { Failure } from "../../parts/Notice";
import { useBoxSize } from "../../parts/useBoxSize";
import { texts } from "../../texts";
import { TaskTable } from "./TaskTable";
import "./tasks.css";

const pageSize = 500;
const narrow = 46; // rem
const medium = 68;
const heights = { wide: 2.35, narrow: 4 }; // rem

export default function TasksPage({ uri, address, where }: PageProps) {
  const filter = filterOf(address.query);
  const scroller = useRef<HTMLDivElement>(null);
  const { width, rem } = useBoxSize(scroller);
  const isNarrow = width < narrow * rem;
  const look = isNarrow ? "narrow" : width < medium * rem ? "medium" : "wide";
  const rowHeight = Math.round(heights[isNarrow ? "narrow" : "wide"] * rem);
  const lead = isNarrow ? 0 : Math.round(2.1 * rem);
  const rows = useRows({ uri: listOf(filter, pageSize), scroller, rowHeight: width ? rowHeight : 0, lead });
  const [isNew, setNew] = useState(false);
  const { pages } = rows;
  const failed = pages.error.value;
  const isEmpty = pages.begun.value && !failed && pages.count === 0;
  const within = () => scroller.current?.closest(".pane") ?? null;
  useKeys(keysOf(rows, scroller.current, () => setNew(true)).map((key) => ({ ...key, within })));
  return (
    <div class="tasks-page">
      <div class="tasks-tools">
        <Filters base={tasksUri} filter={filter} where={where} of="list">
          <span class="tasks-count" role="status">
            {pages.total !== null && texts.tasks.count(pages.total)}
          </span>
          <ProblemsLink />
          {token.value && (
            <button type="button" class="primary" onClick={() => setNew(true)}>
              {texts.newTask.open}
            </button>
          )}
        </Filters>
        <SavedViews uri={uri} where={where} isFiltered={isFiltered(filter)} />
        <ReadOnly />
      </div>
      {failed && <Failure error={failed} again={() => pages.reload()} />}
      {isEmpty && (isFiltered(filter) ? <p class="faint">{texts.tasks.none}</p> : <Start />)}
      <div class="tasks-scroller" ref={scroller} hidden={isEmpty}>
        <TaskTable rows={rows} rowHeight={rowHeight} look={look} filter={filter} where={where} />
      </div>
      {isNew && <NewTaskDialog close={() => setNew(false)} given={givenBy(filter)} />}
    </div>
  );
}

// Files that are in no list, or not as they should be.
function ProblemsLink() {
  const { resource } = useResource(problemsUri);
  const content = resource.value?.content;
  const count = useMemo(() => (content ? (JSON.parse(content) as ProblemsPage).count : 0), [content]);
  return count > 0 ? <AddressLink uri={problemsUri}>{texts.problems.count(count)}</AddressLink> : null;
}

// A task that is made while one looks at a part of the list belongs to that part.
function givenBy({ parent, label, assignee }: ReturnType<typeof filterOf>) {
  return {
    ...(parent && parent !== "none" ? { parent } : {}),
    ...(label ? { labels: [label] } : {}),
    ...(assignee && assignee !== "none" ? { assignee } : {}),
  };
}

function keysOf(rows: ReturnType<typeof useRows>, box: HTMLElement | null, create: () => void): Key[] {
  const group = texts.tasks.title;
  const within = (id: string | null) =>
    id === null ? null : (box?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`) ?? null);
  const click = (what: string) => {
    const found = within(rows.active)?.querySelector<HTMLElement>(what);
    found?.click();
    return found !== null && found !== undefined;
  };
  const inBox = () => box?.contains(document.activeElement) ?? false;
  return [
    { keys: "j", group, text: texts.tasks.keyNext, run: () => rows.move(1) },
    { keys: "k", group, text: texts.tasks.keyPrevious, run: () => rows.move(-1) },
    { keys: "ArrowDown", group, text: texts.tasks.keyNext, run: () => inBox() && rows.move(1) },
    { keys: "ArrowUp", group, text: texts.tasks.keyPrevious, run: () => inBox() && rows.move(-1) },
    { keys: "Home", group, text: texts.tasks.keyFirst, run: () => inBox() && rows.move(-Infinity) },
    { keys: "End", group, text: texts.tasks.keyLast, run: () => inBox() && rows.move(Infinity) },
    { keys: "Enter", group, text: texts.tasks.keyBeside, run: () => false },
    {
      keys: "o",
      group,
      text: texts.tasks.keyMain,
      run: () => (rows.active === null ? false : open(taskUri(rows.active))),
    },
    { keys: "s", group, text: texts.tasks.keyStatus, run: () => click(".status-picker") },
    { keys: "y", group, text: texts.tasks.keyCopy, run: () => click(".copy") },
    { keys: "n", group, text: texts.tasks.keyNew, run: () => (token.value ? create() : false) },
  ];
}
