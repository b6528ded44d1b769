import { reachable } from "../core/api";
import { token } from "../core/credentials";
import { dialog } from "../core/dialogs";
import { stream } from "../core/live";
import type { Entry } from "../core/registry";
import { withoutQuery } from "../core/uri";
import { AddressLink } from "../parts/AddressLink";
import { texts } from "../texts";
import { modName } from "./KeysHelp";

export function Bar({ main, entries }: { main: string; entries: Entry[] }) {
  const isHere = (entry: Entry) => entry.has?.(main) ?? withoutQuery(main) === withoutQuery(entry.uri);
  return (
    <>
      <header class="bar">
        <nav aria-label={texts.shell.navigation}>
          {entries.map((entry) => (
            <AddressLink
              key={entry.uri}
              uri={entry.uri}
              where="main"
              label={entry.text}
              current={isHere(entry) ? "page" : undefined}
            >
              <span class="entry-icon" aria-hidden="true">
                {entry.icon}
              </span>
              <span class="entry-text">{entry.text}</span>
            </AddressLink>
          ))}
        </nav>
        <div class="actions">
          <Opens dialog="palette" label={`${texts.shell.search} ${modName} K`} class="search-button">
            <span class="entry-text">{texts.shell.search}</span> <kbd>{modName} K</kbd>
            <span class="narrow-only" aria-hidden="true">
              ⌕
            </span>
          </Opens>
          <Opens
            dialog="access"
            label={`${token.value ? texts.shell.owner : texts.shell.readOnly}. ${texts.shell.settings}`}
            class="quiet"
          >
            <span class={token.value ? "dot good" : "dot"} aria-hidden="true" />
            <span class="entry-text">{token.value ? texts.shell.owner : texts.shell.readOnly}</span>
          </Opens>
          <Opens dialog="keys" label={texts.shell.keys} class="quiet">
            ?
          </Opens>
        </div>
      </header>
      <Offline />
    </>
  );
}

interface OpensProps {
  dialog: "palette" | "keys" | "access";
  label: string;
  class: string;
  children: preact.ComponentChildren;
}

function Opens({ dialog: name, label, class: style, children }: OpensProps) {
  return (
    <button
      type="button"
      class={style}
      aria-label={label}
      title={label}
      aria-haspopup="dialog"
      onClick={() => {
        dialog.value = name;
      }}
    >
      {children}
    </button>
  );
}

// The region stands before it is needed: only then is a change of it read out.
function Offline() {
  const away = stream.value === "away" || !reachable.value;
  return (
    <div class="offline" role="status">
      {away && <p>{texts.shell.offline}</p>}
    </div>
  );
}
