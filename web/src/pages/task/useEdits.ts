// Changes of single fields of a task that is shown.
import { useState } from "preact/hooks";
import type { Task } from "../../backlog/types";
import { type Change, Conflict, save } from "../../backlog/write";
import { announce, notify } from "../../core/announce";
import { reasonOf } from "../../core/api";
import { texts } from "../../texts";

export interface Edits {
  conflict: Conflict | null;
  change: (change: Change) => Promise<void>;
  // Writes what was meant over what somebody else wrote, knowing it.
  takeMine: () => Promise<void>;
  takeTheirs: () => void;
}

export function useEdits(task: Task): Edits {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const write = async (base: Task, change: Change) => {
    try {
      await save(base, change);
      setConflict(null);
      announce(texts.task.saved);
    } catch (error) {
      if (error instanceof Conflict) setConflict(error);
      else notify(texts.task.notSaved(reasonOf(error)), { kind: "failed" });
    }
  };
  return {
    conflict,
    change: (change) => write(task, change),
    takeMine: async () => {
      if (conflict) await write(conflict.theirs, conflict.change);
    },
    takeTheirs: () => setConflict(null),
  };
}
