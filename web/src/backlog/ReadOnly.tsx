import { token } from "../core/credentials";
import { dialog } from "../core/dialogs";
import { texts } from "../texts";

// In place of everything that writes: how one could.
export function ReadOnly() {
  if (token.value) return null;
  return (
    <p class="read-only faint">
      {texts.backlog.readOnly}{" "}
      <button
        type="button"
        class="link"
        aria-haspopup="dialog"
        onClick={() => {
          dialog.value = "access";
        }}
      >
        {texts.backlog.howToWrite}
      </button>
    </p>
  );
}
