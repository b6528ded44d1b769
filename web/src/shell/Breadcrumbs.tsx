import { parseAddress } from "../core/uri";
import { AddressLink } from "../parts/AddressLink";
import { texts } from "../texts";

export interface Crumb {
  text: string;
  uri: string | null; // null: there is nothing to read
}

// The way to an address: its scheme and host, then each directory. Of files the directories can
// be read, of other addresses only what stands for a list.
export function crumbsOf(uri: string): Crumb[] {
  const address = parseAddress(uri);
  if (!address) return [];
  const root = `${address.scheme}://${address.host}`;
  const raw = /^[^:]+:\/\/[^/?#]*([^?#]*)/.exec(uri)?.[1]?.split("/").filter(Boolean) ?? [];
  const backlog = root === "mcp://backlog";
  const crumbs: Crumb[] = [{ text: root, uri: backlog ? `${root}/board` : null }];
  const files = address.scheme === "file" || (backlog && ["resources", "artifacts"].includes(raw[0] ?? ""));
  const list = backlog && raw[0] === "tasks";
  for (let i = 0; i + 1 < raw.length; i += 1) {
    const part = `${root}/${raw.slice(0, i + 1).join("/")}`;
    crumbs.push({ text: address.segments[i] ?? "", uri: files || (list && i === 0) ? part : null });
  }
  return crumbs;
}

export function Breadcrumbs({ uri, where }: { uri: string; where: "main" | "pane" }) {
  return (
    <nav class="crumbs" aria-label={texts.pane.path(uri)}>
      <ol>
        {crumbsOf(uri).map(({ text, uri: target }) => (
          <li key={target ?? text}>
            {target ? (
              <AddressLink uri={target} where={where}>
                {text}
              </AddressLink>
            ) : (
              text
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
