import { contested } from "../../backlog/write";
import { texts } from "../../texts";
import { SideBySide } from "./SideBySide";
import type { Edits } from "./useEdits";

// A field that somebody else changed while one chose another value for it.
export function Conflicts({ edits }: { edits: Edits }) {
  const { conflict } = edits;
  if (!conflict) return null;
  const fields = contested(conflict.change, conflict.base, conflict.theirs);
  return (
    <>
      {fields.map((field) => (
        <SideBySide
          key={field}
          title={texts.task.fieldNames[field]}
          mine={plain(conflict.change[field])}
          theirs={plain(conflict.theirs[field])}
          takeMine={() => void edits.takeMine()}
          takeTheirs={edits.takeTheirs}
        />
      ))}
    </>
  );
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return texts.task.none;
  return Array.isArray(value) ? value.join("\n") : String(value);
}
