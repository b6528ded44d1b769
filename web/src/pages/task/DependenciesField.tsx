import { toggled } from "../../backlog/filter";
import { findTasks } from "../../backlog/suggest";
import { type Task, taskUri } from "../../backlog/types";
import { AddressLink } from "../../parts/AddressLink";
import { Picker } from "../../parts/Picker";
import { texts } from "../../texts";
import type { Edits } from "./useEdits";

interface Props {
  task: Task;
  edits: Edits;
  mayWrite: boolean;
}

export function DependenciesField({ task, edits, mayWrite }: Props) {
  const ids = task.dependencies ?? [];
  const set = (dependencies: string[]) =>
    void edits.change({ dependencies: dependencies.length ? dependencies : null });
  const find = async (words: string) => {
    const found = await findTasks(words);
    const own = words ? [] : ids.map((id) => ({ value: id, text: id }));
    return [...own, ...found.filter(({ value }) => value !== task.id && (words || !ids.includes(value)))];
  };
  return (
    <>
      {ids.map((id) => (
        <AddressLink key={id} uri={taskUri(id)} class="dependency mono">
          {id}
        </AddressLink>
      ))}
      {!mayWrite && ids.length === 0 && <span class="faint">{texts.task.none}</span>}
      {mayWrite && (
        <Picker
          class="field"
          label={`${texts.task.dependencies}: ${ids.length ? texts.task.change : texts.task.none}`}
          options={find}
          chosen={ids}
          multiple
          search={texts.backlog.findTask}
          choose={(id) => set(toggled(ids, id))}
        >
          <span class="faint">{ids.length ? texts.task.change : texts.task.none}</span>
        </Picker>
      )}
    </>
  );
}
