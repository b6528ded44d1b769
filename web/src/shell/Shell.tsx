// The frame around all pages: navigation, the main pane, the pane beside it, search and keys.
import { useRef } from "preact/hooks";
import { closeDialog, dialog } from "../core/dialogs";
import { type Key, useKeys } from "../core/keys";
import { go, open, place } from "../core/location";
import { pageEntries } from "../core/registry";
import { withoutQuery } from "../core/uri";
import { isNarrow } from "../core/width";
import { texts } from "../texts";
import { Access } from "./Access";
import { Bar } from "./Bar";
import { Divider } from "./Divider";
import { KeysHelp } from "./KeysHelp";
import { Notes } from "./Notes";
import { Palette } from "./Palette";
import { ResourceView } from "./ResourceView";
import { useFocusOfPanes } from "./useFocusOfPanes";

const entries = pageEntries();
const home = entries[0]?.uri ?? "";

function shellKeys(): Key[] {
  const { everywhere, goTo, keySearch, keyHelp, keyClose } = texts.shell;
  const show = (name: "palette" | "keys") => () => {
    dialog.value = name;
  };
  return [
    { keys: "mod+k", group: everywhere, text: keySearch, inFields: true, run: show("palette") },
    { keys: "/", group: everywhere, text: keySearch, run: show("palette") },
    { keys: "?", group: everywhere, text: keyHelp, run: show("keys") },
    {
      keys: "Escape",
      group: everywhere,
      text: keyClose,
      run: () => (place.value.pane ? go({ pane: "" }) : false),
    },
    ...entries.flatMap((entry) =>
      entry.key ? [{ keys: entry.key, group: goTo, text: entry.text, run: () => open(entry.uri) }] : [],
    ),
  ];
}

export function Shell() {
  const { uri, pane } = place.value;
  const main = uri || home;
  const mainElement = useRef<HTMLElement>(null);
  const paneElement = useRef<HTMLDivElement>(null);
  // Where there is no room for both, the pane is all that is shown.
  const covers = isNarrow.value && pane !== "";
  useKeys(shellKeys());
  useFocusOfPanes(mainElement, paneElement, main, pane);
  return (
    <>
      <button type="button" class="skip" onClick={() => mainElement.current?.focus()}>
        {texts.shell.skip}
      </button>
      <Bar main={main} entries={entries} />
      <div class={pane ? "panes split" : "panes"}>
        <main id="content" ref={mainElement} tabIndex={-1} class="pane main" aria-label={texts.pane.main}>
          <ResourceView key={withoutQuery(main)} uri={main} where="main" />
        </main>
        {pane && (
          <section class="beside" role={covers ? "main" : undefined} aria-label={texts.pane.beside}>
            {covers && <h1 class="unseen">{texts.shell.title}</h1>}
            <Divider />
            <div ref={paneElement} tabIndex={-1} class="pane">
              <ResourceView key={withoutQuery(pane)} uri={pane} where="pane" />
            </div>
          </section>
        )}
      </div>
      <Notes />
      {dialog.value === "palette" && <Palette close={closeDialog} />}
      {dialog.value === "keys" && <KeysHelp close={closeDialog} />}
      {dialog.value === "access" && <Access close={closeDialog} />}
    </>
  );
}
