// What is at an address, kept up to date while somebody shows it.
//
// An entry outlives its last reader for a while, so that Back shows at once what was there; it
// is read again then. When the server cannot be reached the last content stays, and `offline`
// says so.
import { effect, type Signal, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { ApiError, type Resource, readResource } from "./api";
import { token } from "./credentials";
import { listen } from "./live";

export interface Shown {
  resource: Signal<Resource | null>;
  error: Signal<ApiError | null>;
  offline: Signal<boolean>;
  reload: () => Promise<void>;
}

const kept = 60;

export class Entry implements Shown {
  readonly resource = signal<Resource | null>(null);
  readonly error = signal<ApiError | null>(null);
  readonly offline = signal(false);
  #readers = 0;
  #etag: string | null = null;
  #stop: (() => void) | null = null;
  #reading: Promise<void> | null = null;
  #again: Promise<void> | null = null;

  constructor(readonly uri: string) {}

  get idle(): boolean {
    return this.#readers === 0;
  }

  hold(): void {
    this.#readers += 1;
    if (this.#readers > 1) return;
    void this.reload();
    this.#stop = listen(this.uri, (version) => this.#told(version));
  }

  release(): void {
    this.#readers -= 1;
    if (this.#readers > 0) return;
    this.#stop?.();
    this.#stop = null;
  }

  // The version that comes when the stream opens is mostly that of what was just read.
  #told(version: string | null): void {
    const shown = this.resource.value;
    const same = shown ? version !== null && version === shown.version : version === null && this.#missing();
    if (!same || this.offline.value) void this.reload();
  }

  #missing(): boolean {
    return this.error.value?.status === 404;
  }

  // Done when what is shown is no older than this call. Calls that come while one waits share it.
  reload = (): Promise<void> => {
    if (!this.#reading) {
      this.#reading = this.#read().finally(() => {
        this.#reading = null;
      });
      return this.#reading;
    }
    this.#again ??= this.#reading.then(() => {
      this.#again = null;
      return this.reload();
    });
    return this.#again;
  };

  // What was read as somebody else is none of this one's.
  forget(): void {
    this.#etag = null;
    void this.reload();
  }

  async #read(): Promise<void> {
    try {
      const fetched = await readResource(this.uri, this.resource.value ? this.#etag : null);
      if (fetched) {
        this.#etag = fetched.etag;
        this.resource.value = fetched.value;
      }
      this.error.value = null;
      this.offline.value = false;
    } catch (error) {
      const failed = error instanceof ApiError ? error : new ApiError(500, String(error));
      if (failed.status === 0 && this.resource.value) {
        this.offline.value = true;
        return;
      }
      this.#etag = null;
      this.resource.value = null;
      this.error.value = failed;
    }
  }
}

const entries = new Map<string, Entry>();

function entryOf(uri: string): Entry {
  let entry = entries.get(uri);
  if (!entry) {
    entry = new Entry(uri);
    for (const [key, old] of entries) {
      if (entries.size < kept) break;
      if (old.idle) entries.delete(key);
    }
  } else {
    entries.delete(uri);
  }
  entries.set(uri, entry);
  return entry;
}

// Nothing is at no address.
const nothing: Shown = {
  resource: signal(null),
  error: signal(null),
  offline: signal(false),
  reload: () => Promise.resolve(),
};

// For components: holds the entry while the component is there. Null: there is nothing to read yet.
export function useResource(uri: string | null): Shown {
  const [entry, setEntry] = useState<Entry | null>(() => (uri === null ? null : entryOf(uri)));
  useEffect(() => {
    if (uri === null) return;
    const current = entryOf(uri);
    setEntry(current);
    current.hold();
    return () => current.release();
  }, [uri]);
  if (uri === null) return nothing;
  return entry?.uri === uri ? entry : entryOf(uri);
}

// Reads again what is shown of an address, if it is; after a write of one's own.
export function refresh(uri: string): Promise<void> {
  return entries.get(uri)?.reload() ?? Promise.resolve();
}

// Somebody else may see something else.
let first = true;
effect(() => {
  token.value;
  if (first) {
    first = false;
    return;
  }
  for (const [key, entry] of entries) {
    if (entry.idle) entries.delete(key);
    else entry.forget();
  }
});
