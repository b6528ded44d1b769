import { boundKeys } from "../core/keys";
import { texts } from "../texts";
import { Dialog } from "./Dialog";

export const modName = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

const names: Record<string, string> = {
  mod: modName,
  shift: "Shift",
  alt: "Alt",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
};

export function KeysHelp({ close }: { close: () => void }) {
  // Two panes may have the same page, with the same keys.
  const keys = new Map(boundKeys().map((key) => [`${key.group} ${key.keys}`, key]));
  const groups = Map.groupBy(keys.values(), (key) => key.group);
  return (
    <Dialog label={texts.shell.keys} close={close} class="keys">
      <h2>{texts.shell.keys}</h2>
      <div class="key-groups">
        {[...groups].map(([group, those]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {those.map((key) => (
                <div key={key.keys}>
                  <dt>
                    {key.keys.split(" ").map((combination) => (
                      <kbd key={combination}>
                        {combination
                          .split("+")
                          .map((part) => names[part] ?? part)
                          .join(" ")}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{key.text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
