// Who one is, and what one chose.
import { useState } from "preact/hooks";
import { forgetToken, refused, token, useToken } from "../core/credentials";
import { choose, type Settings, settings } from "../core/settings";
import { texts } from "../texts";
import { Dialog } from "./Dialog";

export function Access({ close }: { close: () => void }) {
  return (
    <Dialog label={texts.shell.settings} close={close}>
      <h2>{token.value ? texts.shell.owner : texts.shell.readOnly}</h2>
      {token.value ? <Forget /> : <GiveToken />}
      <h2>{texts.shell.settings}</h2>
      <Choices />
    </Dialog>
  );
}

function Forget() {
  return (
    <p>
      <button type="button" onClick={forgetToken}>
        {texts.shell.forgetToken}
      </button>
    </p>
  );
}

function GiveToken() {
  const [typed, setTyped] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed.trim()) useToken(typed.trim());
  };
  return (
    <form onSubmit={submit}>
      <p>
        {/* Between two back-quotes is what one types. */}
        {texts.shell.readOnlyHint
          .split("`")
          .map((part, i) => (i % 2 ? <code key={part}>{part}</code> : part))}
      </p>
      {refused.value && (
        <p class="notice" role="alert">
          {texts.shell.tokenRefused}
        </p>
      )}
      <label>
        {texts.shell.giveToken}
        <input
          type="password"
          autoComplete="off"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        {texts.shell.useToken}
      </button>
    </form>
  );
}

function Choices() {
  const { theme, editor, name, singleKeys } = settings.value;
  return (
    <>
      <label>
        {texts.shell.theme}
        <select
          value={theme}
          onChange={(event) => choose({ theme: event.currentTarget.value as Settings["theme"] })}
        >
          {(["system", "light", "dark"] as const).map((each) => (
            <option key={each} value={each}>
              {texts.shell.themes[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.shell.name}
        <input
          value={name}
          maxLength={200}
          onChange={(event) => choose({ name: event.currentTarget.value.trim() })}
        />
      </label>
      <label>
        {texts.shell.editor}
        <input value={editor} onChange={(event) => choose({ editor: event.currentTarget.value })} />
      </label>
      <label class="inline">
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={(event) => choose({ singleKeys: event.currentTarget.checked })}
        />
        {texts.shell.singleKeys}
      </label>
    </>
  );
}
