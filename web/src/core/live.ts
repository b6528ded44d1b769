// Hears of changes: one stream of GET /events for all addresses that the page shows.
//
// The stream begins with the version that each address has, so that whoever was away learns what
// was missed; after a lost connection it is opened again, later and later. When the set of addresses
// changes the stream is opened anew, once for all changes of a moment.
//
// A browser keeps few connections to one server, for all tabs together. A tab that nobody sees gives
// its own back, and hears what it missed when it is looked at again.
import { effect, signal } from "@preact/signals";
import { authorization, token } from "./credentials";
import { EventReader } from "./events";

export type Told = (version: string | null) => void;

// away: the server cannot be reached; refused: it is there, but tells nothing.
export const stream = signal<"open" | "away" | "refused">("open");

const maxAddresses = 100;
const gather = 30; // ms
const firstPause = 500; // ms
const longestPause = 10_000;
const unseen = 5_000; // ms until a hidden tab stops listening

const listeners = new Map<string, Set<Told>>();
let running: AbortController | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let pause = firstPause;
let isAsleep = typeof document !== "undefined" && document.visibilityState === "hidden";

// Calls `told` with the version that the address has, now and at each change. Answers how to stop.
export function listen(uri: string, told: Told): () => void {
  let all = listeners.get(uri);
  const isNew = all === undefined;
  if (all === undefined) {
    all = new Set();
    listeners.set(uri, all);
  }
  all.add(told);
  if (isNew) reopenSoon(gather);
  return () => {
    all.delete(told);
    if (all.size > 0 || listeners.get(uri) !== all) return;
    listeners.delete(uri);
    reopenSoon(gather);
  };
}

function reopenSoon(after: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void open(), after);
}

async function open(): Promise<void> {
  running?.abort();
  running = null;
  const addresses = [...listeners.keys()].slice(-maxAddresses);
  if (addresses.length === 0 || isAsleep) return;
  const mine = new AbortController();
  running = mine;
  const ended = await follow(addresses, mine.signal);
  if (running !== mine) return;
  running = null;
  // A stream that merely ended is tried again before anybody is told.
  if (ended !== "over") stream.value = ended;
  reopenSoon(ended === "over" ? gather : pause);
  if (ended !== "over") pause = Math.min(pause * 2, longestPause);
}

// Until the stream ends; how it did.
async function follow(addresses: string[], until: AbortSignal): Promise<"over" | "away" | "refused"> {
  const query = addresses.map((uri) => `uri=${encodeURIComponent(uri)}`).join("&");
  const headers = { ...authorization(), Accept: "text/event-stream" };
  const begun = Date.now();
  let opened = false;
  try {
    const response = await fetch(`/events?${query}`, {
      headers,
      signal: until,
      cache: "no-store",
      credentials: "omit",
    });
    // A gateway that cannot reach the server answers for it.
    if (!response.ok || !response.body) return response.status >= 500 ? "away" : "refused";
    opened = true;
    stream.value = "open";
    pause = firstPause;
    await tellAll(response.body);
  } catch {
    // The connection was lost, or this stream was replaced.
  }
  return opened && Date.now() - begun > firstPause ? "over" : "away";
}

async function tellAll(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events = new EventReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    for (const data of events.take(decoder.decode(value, { stream: true }))) tell(data);
  }
}

function tell(data: string): void {
  const { uri, version } = JSON.parse(data) as { uri: string; version: string | null };
  for (const told of [...(listeners.get(uri) ?? [])]) told(version);
}

// What may be heard depends on who listens.
let firstToken = true;
effect(() => {
  token.value;
  if (!firstToken) reopenSoon(gather);
  firstToken = false;
});
if (typeof window !== "undefined") {
  window.addEventListener("online", () => reopenSoon(0));
  let sleep: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(sleep);
    if (document.visibilityState === "hidden") {
      sleep = setTimeout(() => {
        isAsleep = true;
        void open();
      }, unseen);
    } else if (isAsleep) {
      isAsleep = false;
      reopenSoon(0);
    }
  });
}
