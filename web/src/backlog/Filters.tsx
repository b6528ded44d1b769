// What is shown of the backlog: words, states, kinds, labels and so on. All of it is part of the
// page's address.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { change } from "../core/location";
import { type Option, Picker } from "../parts/Picker";
import { texts } from "../texts";
import { addressOf, everything, type Filter, filterCount, type Sort, sorts, toggled } from "./filter";
import { statusOptions } from "./StatusPicker";
import { findTasks, plainOptions } from "./suggest";
import { type Status, type TaskType, taskTypes } from "./types";
import "./filters.css";

interface Props {
  base: string;
  filter: Filter;
  where: "main" | "pane";
  of: "list" | "board";
  children?: ComponentChildren; // behind the filters
}

export function Filters({ base, filter, where, of, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const set = (part: Partial<Filter>) => change(where, addressOf(base, { ...filter, ...part }));
  const count = filterCount(filter);
  return (
    <search class="filters" data-open={isOpen} aria-label={texts.backlog.filterOf[of]}>
      <div class="filters-first">
        <Words base={base} filter={filter} where={where} />
        <button type="button" class="filters-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.backlog.filters}
          {count > 0 && ` (${count})`}
        </button>
      </div>
      <div class="filters-rest">
        {of === "list" && <StatusFilter filter={filter} set={set} />}
        <TypeFilter filter={filter} set={set} />
        <OneFilter
          name="label"
          value={filter.label}
          set={(label) => set({ label })}
          find={plainOptions("label")}
        />
        <OneFilter
          name="assignee"
          value={filter.assignee}
          none={texts.backlog.nobody}
          set={(assignee) => set({ assignee })}
          find={plainOptions("assignee")}
        />
        <OneFilter
          name="parent"
          value={filter.parent}
          none={texts.backlog.noParent}
          set={(parent) => set({ parent })}
          find={findTasks}
        />
        {of === "list" && <ReadyFilter filter={filter} set={set} />}
        {of === "list" && <SortBy filter={filter} set={set} />}
        {count > 0 && (
          <button type="button" class="quiet" onClick={() => set({ ...everything, sort: filter.sort })}>
            {texts.backlog.clear}
          </button>
        )}
        {children}
      </div>
    </search>
  );
}

const pause = 200; // ms after a letter

function Words({ base, filter, where }: Pick<Props, "base" | "filter" | "where">) {
  const [typed, setTyped] = useState(filter.q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef(false);
  // Back, or a saved view: the address has other words than the field.
  useEffect(() => {
    if (!pending.current) setTyped(filter.q);
  }, [filter.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (q: string) => {
    setTyped(q);
    pending.current = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      pending.current = false;
      change(where, addressOf(base, { ...filter, q }), filter.q ? "replace" : "push");
    }, pause);
  };
  return (
    <input
      type="search"
      class="words"
      aria-label={texts.backlog.words}
      placeholder={texts.backlog.words}
      value={typed}
      onInput={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || typed === "") return;
        event.preventDefault();
        type("");
      }}
    />
  );
}

interface PartProps {
  filter: Filter;
  set: (part: Partial<Filter>) => void;
}

function StatusFilter({ filter, set }: PartProps) {
  const names = filter.status.map((status) => texts.backlog.status[status]).join(", ");
  return (
    <Pill
      name={texts.backlog.statusName}
      value={names}
      options={statusOptions}
      chosen={filter.status}
      multiple
      choose={(value) => set({ status: toggled(filter.status, value as Status) })}
    />
  );
}

function TypeFilter({ filter, set }: PartProps) {
  return (
    <Pill
      name={texts.backlog.typeName}
      value={filter.type.map((type) => texts.backlog.type[type]).join(", ")}
      options={taskTypes.map((type) => ({ value: type, text: texts.backlog.type[type] }))}
      chosen={filter.type}
      multiple
      choose={(value) => set({ type: toggled(filter.type, value as TaskType) })}
    />
  );
}

function ReadyFilter({ filter, set }: PartProps) {
  const names = { true: texts.backlog.ready, false: texts.backlog.notReady };
  return (
    <Pill
      name={texts.backlog.readyName}
      value={filter.ready && names[filter.ready]}
      options={[
        { value: "true", text: names.true },
        { value: "false", text: names.false },
      ]}
      chosen={[filter.ready]}
      choose={(value) => set({ ready: value === filter.ready ? "" : (value as Filter["ready"]) })}
    />
  );
}

function SortBy({ filter, set }: PartProps) {
  if (filter.q) return null;
  return (
    <Pill
      name={texts.backlog.sortBy}
      value={texts.backlog.sort[filter.sort]}
      plain
      options={sorts.map((sort) => ({ value: sort, text: texts.backlog.sort[sort] }))}
      chosen={[filter.sort]}
      choose={(value) => set({ sort: value as Sort })}
    />
  );
}

interface OneProps {
  name: "label" | "assignee" | "parent";
  value: string;
  none?: string;
  set: (value: string) => void;
  find: (words: string) => Promise<Option[]>;
}

// One of what is found, none of it, or any.
function OneFilter({ name, value, none, set, find }: OneProps) {
  const any = { value: "", text: texts.backlog.any };
  const options = async (words: string) => {
    const found = await find(words);
    if (words) return found;
    return [any, ...(none ? [{ value: "none", text: none }] : []), ...found];
  };
  return (
    <Pill
      name={texts.backlog[name]}
      value={value === "none" && none ? none : value}
      options={options}
      search={texts.backlog.find}
      chosen={[value]}
      choose={set}
    />
  );
}

interface PillProps {
  name: string;
  value: string;
  plain?: boolean; // it is always something, and no filter
  options: Parameters<typeof Picker>[0]["options"];
  chosen: string[];
  multiple?: boolean;
  search?: string;
  choose: (value: string) => void;
}

function Pill({ name, value, plain, ...rest }: PillProps) {
  const on = value !== "" && !plain;
  return (
    <Picker {...rest} class={on ? "pill on" : "pill"} label={value ? `${name}: ${value}` : name}>
      {value ? (
        <>
          <span class="pill-name">{name}:</span> <span class="pill-value">{value}</span>
        </>
      ) : (
        name
      )}
    </Picker>
  );
}
