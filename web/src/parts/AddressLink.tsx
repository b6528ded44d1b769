import type { ComponentChildren } from "preact";
import { change, hrefOf, open } from "../core/location";

interface Props {
  uri: string;
  where?: "main" | "pane";
  class?: string | undefined;
  label?: string | undefined; // for screen readers, where the content is an icon
  current?: "page" | undefined;
  keepPane?: boolean; // it is another view of what is there: the pane beside stays open
  children: ComponentChildren;
}

// A link to an address of Lode. A plain click opens it here; with a modifier or the middle button
// the browser opens a tab, as with every link.
export function AddressLink({ uri, where = "pane", class: name, label, current, keepPane, children }: Props) {
  const click = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (keepPane) change(where, uri);
    else open(uri, where);
  };
  return (
    <a
      href={hrefOf({ uri, pane: "" })}
      class={name}
      onClick={click}
      aria-label={label}
      title={label}
      aria-current={current}
    >
      {children}
    </a>
  );
}
