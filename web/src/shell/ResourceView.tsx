// What is at an address, on the page that suits it, below a head with its name and what can be done
// with the address.
import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { announce } from "../core/announce";
import { type PageDefinition, type PageProps, pageByAddress, pageByResource } from "../core/registry";
import { useResource } from "../core/resource";
import { fragmentOf, lineOf, nameOf, parseAddress, withoutFragment, withoutQuery } from "../core/uri";
import { Failure, Notice } from "../parts/Notice";
import { texts } from "../texts";
import { Head } from "./Head";

interface Props {
  uri: string;
  where: "main" | "pane";
}

export function ResourceView({ uri: whole, where }: Props) {
  const uri = withoutFragment(whole);
  const fragment = fragmentOf(whole);
  const byAddress = useMemo(() => pageByAddress(uri), [uri]);
  const shown = useResource(byAddress?.source ? byAddress.source(uri) : uri);
  const resource = shown.resource.value;
  const page = byAddress ?? (resource ? pageByResource(uri, resource) : null);
  const address = parseAddress(uri);
  const title = (address && page?.title?.(address, resource)) || nameOf(uri);
  useTitle(title, where, uri);
  if (!address) return <Notice text={texts.pane.noAddress} />;
  return (
    <>
      <Head
        uri={uri}
        where={where}
        title={page?.ownHeading ? null : title}
        resource={resource}
        line={lineOf(fragment)}
      />
      {resource?.notice && <Notice text={resource.notice} />}
      <div class="page" data-page={page?.name}>
        {page && <PageOf page={page} uri={uri} address={address} where={where} fragment={fragment} />}
        {!page && shown.error.value && <Failure error={shown.error.value} again={shown.reload} />}
        {!page && !shown.error.value && <p class="faint">{texts.pane.loading}</p>}
      </div>
    </>
  );
}

let announced = "";

// The tab's title follows what is shown; a screen reader hears of another page, not of every change
// of its title.
function useTitle(title: string, where: "main" | "pane", uri: string): void {
  useEffect(() => {
    if (where === "main") document.title = `${title} · ${texts.shell.title}`;
  }, [title, where]);
  const path = withoutQuery(uri);
  useEffect(() => {
    if (announced && announced !== path) announce(title);
    announced = path;
  }, [path]);
}

const loaded = new Map<string, ComponentType<PageProps>>();

function PageOf({ page, ...props }: { page: PageDefinition } & PageProps) {
  const [, setCount] = useState(0);
  const [failed, setFailed] = useState(false);
  const Component = loaded.get(page.name);
  useEffect(() => {
    if (loaded.has(page.name)) return;
    page
      .load()
      .then((module) => {
        loaded.set(page.name, module.default);
        setCount((count) => count + 1);
      })
      .catch(() => setFailed(true));
  }, [page]);
  if (failed) return <Notice text={texts.pane.failed} />;
  return Component ? <Component key={page.name} {...props} /> : <p class="faint">{texts.pane.loading}</p>;
}
