// Finds as one types. Words are looked up by the server's index, which knows whole words of
// everything; so that a beginning of a word finds something too, names of files, of tasks and of
// elements are looked through as well.
import { useEffect, useState } from "preact/hooks";
import { readJson } from "../../core/api";
import { recent } from "../../core/recent";
import { pageEntries } from "../../core/registry";
import { isReadable, nameOf, parseAddress } from "../../core/uri";
import { fileUri } from "../../parts/files";
import { filePattern, filtered, type Hit, type Kind, merged } from "./hits";

const pause = 40; // ms after a letter
const most = 40; // hits that are shown
const mostOfKind = 20;
const fresh = 30_000; // ms that names are good for

let names: { at: number; hits: Hit[] } = { at: 0, hits: [] };

interface Named {
  id?: string;
  uri?: string;
  title?: string;
  name?: string;
  status?: string;
  type?: string;
  description?: string;
}

// Tasks and elements by name, those that matter most first.
async function readNames(): Promise<void> {
  if (Date.now() - names.at < fresh) return;
  const [tasks, elements] = await Promise.all([
    readJson<{ tasks: Named[] }>("mcp://backlog/tasks?limit=1000").catch(() => ({ tasks: [] })),
    readJson<{ elements: Named[] }>("capability-index://recent?days=3650&limit=200").catch(() => ({
      elements: [],
    })),
  ]);
  const hits = [
    ...tasks.tasks.map((task) => ({
      uri: `mcp://backlog/tasks/${encodeURIComponent(task.id ?? "")}`,
      kind: "task",
      title: `${task.id} ${task.title}`,
      type: task.type ?? "task",
      description: task.status ?? "",
    })),
    ...elements.elements.map((element) => ({
      uri: element.uri ?? "",
      kind: "element",
      title: element.name ?? element.id ?? "",
      type: element.type ?? "element",
      description: element.description ?? "",
    })),
  ];
  names = { at: Date.now(), hits };
}

async function readFiles(query: string, signal: AbortSignal): Promise<Hit[]> {
  const pattern = filePattern(query);
  if (pattern === "") return [];
  const address = `resource://project/files?pattern=${encodeURIComponent(pattern)}`;
  const found = await readJson<{ files: { path: string; language?: string }[] }>(address, signal);
  return found.files
    .toSorted((a, b) => a.path.length - b.path.length)
    .slice(0, mostOfKind)
    .map(({ path, language = "" }) => ({
      uri: fileUri(path),
      kind: "file",
      title: path,
      description: language,
    }));
}

async function readIndex(query: string, kind: Kind, signal: AbortSignal): Promise<Hit[]> {
  const parameters = `q=${encodeURIComponent(query)}&limit=${mostOfKind}${kind ? `&kinds=${kind}` : ""}`;
  const { hits } = await readJson<{ hits: Hit[] }>(`lode://search?${parameters}`, signal);
  // Of a symbol, the file is what tells it from others of its name.
  return hits.map((hit) => {
    const path = hit.kind === "symbol" ? parseAddress(hit.uri)?.segments.slice(0, -1).join("/") : undefined;
    return path ? { ...hit, description: path } : hit;
  });
}

// While nothing is typed: where one was, and where one can go.
function offered(): Hit[] {
  const visited = recent().map((uri) => ({ uri, kind: "recent", title: nameOf(uri), description: uri }));
  const places = pageEntries().map(({ uri, text }) => ({ uri, kind: "page", title: text, description: uri }));
  return merged([visited, places], "", most);
}

export interface Found {
  hits: Hit[];
  busy: boolean;
  query: string; // what the hits were found by
}

export function useHits(typed: string, kind: Kind): Found {
  const [found, setFound] = useState<Found>(() => ({ hits: offered(), busy: false, query: "" }));
  const [known, setKnown] = useState(names.at);
  useEffect(() => void readNames().then(() => setKnown(names.at)), []);
  useEffect(() => {
    const query = typed.trim();
    if (query === "") {
      setFound({ hits: offered(), busy: false, query });
      return;
    }
    if (isReadable(query)) {
      const hit = { uri: query, kind: "address", title: nameOf(query), description: query };
      setFound({ hits: [hit], busy: false, query });
      return;
    }
    // What is here is shown at once; the rest comes after it.
    const wanted = (hit: Hit) => kind === "" || hit.kind === kind;
    const local = filtered([...offered(), ...names.hits].filter(wanted), query, mostOfKind);
    setFound((last) => {
      const shown = last.hits.filter(wanted);
      // The same words again, because names have come: nothing that is shown may go meanwhile.
      const kept = last.query === query ? shown : filtered(shown, query, most);
      return { hits: merged([kept, local], query, most), busy: true, query };
    });
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const [index, files] = await Promise.all([
        kind === "file" ? [] : readIndex(query, kind, abort.signal).catch(() => []),
        kind === "" || kind === "file" ? readFiles(query, abort.signal).catch(() => []) : [],
      ]);
      if (abort.signal.aborted) return;
      setFound({ hits: merged([index, local, files], query, most), busy: false, query });
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed, kind, known]);
  return found;
}
