import { deleted } from "../../backlog/deleted";
import { token } from "../../core/credentials";
import { draftOf } from "../../core/drafts";
import { CopyButton } from "../../parts/CopyButton";
import { texts } from "../../texts";
import { restoreIt } from "./TaskHead";
import type { Draft } from "./TextEditor";

// A task that is not there. If it was deleted from here it can be restored; what was being typed is
// still shown.
export function Gone({ id }: { id: string }) {
  const wasHere = deleted.value[id] !== undefined;
  const drafts = ["title", "body"]
    .map((field) => draftOf<Draft>(`${id}.${field}`))
    .filter((draft) => draft !== null);
  return (
    <>
      <div class="notice" role="status">
        <p>{wasHere ? texts.task.deleted(id) : texts.pane.missing}</p>
        {token.value && (
          <button type="button" onClick={() => void restoreIt(id)}>
            {wasHere ? texts.task.restore : texts.task.restoreTrash}
          </button>
        )}
      </div>
      {drafts.map((draft) => (
        <section key={draft.text} class="gone-draft">
          <p>
            {texts.task.yourDraft} <CopyButton text={draft.text} label={texts.task.copyDraft} />
          </p>
          <pre class="text">{draft.text}</pre>
        </section>
      ))}
    </>
  );
}
