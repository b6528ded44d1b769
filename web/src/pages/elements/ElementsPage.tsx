// The elements: an overview, one type's, those that changed lately, that are active, that were found;
// and what is wrong with which file.
import { useEffect, useState } from "preact/hooks";
import { change, open } from "../../core/location";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { withQuery } from "../../core/uri";
import { AddressLink } from "../../parts/AddressLink";
import { JsonTree } from "../../parts/json/JsonTree";
import type { Json } from "../../parts/json/tree";
import { Markdown } from "../../parts/Markdown";
import { Failure } from "../../parts/Notice";
import { useJson } from "../../parts/useJson";
import { texts } from "../../texts";
import { ElementList } from "./ElementList";
import { Overview } from "./Overview";
import { Problems } from "./Problems";
import "./elements.css";

export interface Stats {
  element_counts: Record<string, number>;
  problems: number;
}

export default function ElementsPage({ uri, address, where }: PageProps) {
  const { value: stats } = useJson<Stats>("capability-index://stats");
  const page = address.host;
  return (
    <>
      <nav class="tabs" aria-label={texts.elements.views}>
        {tabs(stats).map(({ text, target }) => (
          <AddressLink
            key={target}
            uri={target}
            where={where}
            current={uri.split("?", 1)[0] === target ? "page" : undefined}
          >
            {text}
          </AddressLink>
        ))}
      </nav>
      <Search uri={uri} where={where} words={page === "search" ? (address.query.get("q") ?? "") : ""} />
      <Content uri={uri} page={page} where={where} stats={stats} />
    </>
  );
}

function tabs(stats: Stats | null): { text: string; target: string }[] {
  const types = Object.entries(stats?.element_counts ?? {}).map(([type, count]) => ({
    text: `${texts.elements.types[type] ?? type} ${count}`,
    target: `capability-index://elements/${type}`,
  }));
  const problems = stats?.problems ? ` ${stats.problems}` : "";
  return [
    { text: texts.elements.overview, target: "capability-index://summary" },
    ...types,
    { text: texts.elements.pages.recent ?? "", target: "capability-index://recent" },
    { text: texts.elements.pages.active ?? "", target: "capability-index://active" },
    { text: `${texts.elements.pages.problems}${problems}`, target: "capability-index://problems" },
  ];
}

interface ContentProps {
  uri: string;
  page: string;
  where: "main" | "pane";
  stats: Stats | null;
}

function Content({ uri, page, where, stats }: ContentProps) {
  switch (page) {
    case "summary":
      return <Overview uri={uri} stats={stats} />;
    case "full":
    case "active":
      return <Rendered uri={uri} />;
    case "problems":
      return <Problems uri={uri} where={where} />;
    case "stats":
      return <Numbers uri={uri} />;
    default:
      // A search for nothing is refused.
      if (page === "search" && !new URLSearchParams(uri.split("?")[1] ?? "").get("q")) return null;
      return <ElementList uri={uri} where={where} />;
  }
}

function Rendered({ uri }: { uri: string }) {
  const { resource, error, reload } = useResource(uri);
  if (error.value) return <Failure error={error.value} again={reload} />;
  return <Markdown text={resource.value?.content ?? ""} base={uri} />;
}

function Numbers({ uri }: { uri: string }) {
  const { value } = useJson<Json>(uri);
  return value ? <JsonTree value={value} label={texts.elements.title} /> : null;
}

const pause = 200; // ms after a letter

function Search({ uri, where, words }: { uri: string; where: "main" | "pane"; words: string }) {
  const [typed, setTyped] = useState(words);
  useEffect(() => setTyped(words), [words]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === words || wanted === "") return;
    const timer = setTimeout(() => {
      const target = withQuery("capability-index://search", { q: wanted });
      if (uri.startsWith("capability-index://search")) change(where, target, "replace");
      else open(target, where);
    }, pause);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      type="search"
      class="element-search"
      value={typed}
      placeholder={texts.elements.search}
      aria-label={texts.elements.search}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
