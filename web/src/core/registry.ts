// Which page shows what is at an address. Each folder below pages/ has an index.ts that says
// so; its component is loaded when it is first shown. Nothing else has to name a page
// (docs/viewer-pages.md).
import type { ComponentType } from "preact";
import type { Resource } from "./api";
import { type Address, parseAddress } from "./uri";

export interface PageProps {
  uri: string;
  address: Address;
  where: "main" | "pane";
  fragment: string; // the place in it: "L12", "a-heading"; mostly empty
}

export interface PageDefinition {
  name: string;
  // Of several that match the highest shows it; 0 is the one for everything.
  rank: number;
  // By the address alone: such a page reads what it needs by itself.
  matches?: (address: Address, uri: string) => boolean;
  // By what was read there.
  shows?: (resource: Resource, address: Address) => boolean;
  title?: (address: Address, resource: Resource | null) => string;
  // What is read for the head of the page (its path, notices). Null: nothing, the page reads several
  // addresses by itself. Without it: the address.
  source?: (uri: string) => string | null;
  // The page draws its heading by itself: h1, or h2 in the pane beside.
  ownHeading?: boolean;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
  // In the navigation of every page, in the order of `order`.
  entry?: Entry;
}

export interface Entry {
  text: string;
  uri: string;
  order: number;
  icon: string;
  key?: string;
  // Whether an address belongs to it; without it: its own, whatever the query.
  has?: (uri: string) => boolean;
}

const found = import.meta.glob<{ default: PageDefinition }>("../pages/*/index.ts", { eager: true });

export const pages: PageDefinition[] = Object.values(found)
  .map((module) => module.default)
  .sort((a, b) => b.rank - a.rank || a.name.localeCompare(b.name));

export const pageEntries = (): Entry[] =>
  pages.flatMap((page) => (page.entry ? [page.entry] : [])).sort((a, b) => a.order - b.order);

export function pageByAddress(uri: string): PageDefinition | null {
  const address = parseAddress(uri);
  if (!address) return null;
  return pages.find((page) => page.matches?.(address, uri)) ?? null;
}

export function pageByResource(uri: string, resource: Resource): PageDefinition | null {
  const address = parseAddress(uri);
  if (!address) return null;
  return pages.find((page) => page.shows?.(resource, address)) ?? null;
}
