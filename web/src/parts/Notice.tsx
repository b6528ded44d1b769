import type { ComponentChildren } from "preact";
import { type ApiError, reasonOf } from "../core/api";
import { dialog } from "../core/dialogs";
import { texts } from "../texts";

export function Notice({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="notice" role="status">
      <p>{text}</p>
      {children}
    </div>
  );
}

// What could not be read, and what to do about it.
export function Failure({ error, again }: { error: ApiError; again: () => void }) {
  const denied = error.status === 401 || error.status === 403;
  return (
    <div class="notice" role="alert">
      <p>{error.status === 404 ? texts.pane.missing : reasonOf(error)}</p>
      <button type="button" onClick={again}>
        {texts.pane.again}
      </button>
      {denied && (
        <button
          type="button"
          onClick={() => {
            dialog.value = "access";
          }}
        >
          {texts.shell.giveToken}
        </button>
      )}
    </div>
  );
}
