// A list of tasks, read page by page as it is looked at.
//
// A page's address holds the key of the last task of the page before it, so that pages stay valid
// when others change. What is in view is listened to, and read again when it is another; if a page
// ends elsewhere then, the next one begins anew there. Pages out of view wait until they are
// looked at. So the work for a change does not depend on how long the list is.
import { signal } from "@preact/signals";
import { ApiError, type Fetched, type Resource } from "../core/api";
import type { Told } from "../core/live";
import type { TaskListPage, TaskRow } from "./types";

export interface Source {
  read: (uri: string, etag: string | null) => Promise<Fetched<Resource> | null>;
  listen: (uri: string, told: Told) => () => void;
}

interface Page {
  uri: string;
  rows: TaskRow[];
  next: string; // empty: it is the last
  version: string | undefined;
  etag: string | null;
  stale: boolean;
}

const ahead = 100; // rows before the end of what is known at which more is read
const guess = 20; // rows that are shown as coming while nobody says how many there are

export class TaskPages {
  // Counts up when something is another.
  readonly changed = signal(0);
  readonly error = signal<ApiError | null>(null);
  // Whether the first page was read, or failed to.
  readonly begun = signal(false);
  incomplete = false;
  #pages: Page[] = [];
  #total: number | null = null;
  #from = 0;
  #to = 1;
  #running = false;
  #active = false;
  #held = 0; // moves that are under way: what is read meanwhile would take them back
  #epoch = 0;
  #listening = new Map<string, () => void>();

  constructor(
    readonly uri: string,
    private readonly source: Source,
  ) {}

  // How many rows there are, as far as that is known.
  get count(): number {
    const more = this.#pages.at(-1)?.next ? guess : 0;
    const known = this.known;
    return more > 0 ? Math.max(this.#total ?? known + more, known + 1) : known;
  }

  // Null: nobody has said so yet.
  get total(): number | null {
    if (!this.begun.value) return null;
    if (this.#pages.at(-1)?.next) return this.#total;
    return this.known;
  }

  get known(): number {
    return this.#pages.reduce((sum, page) => sum + page.rows.length, 0);
  }

  row(index: number): TaskRow | undefined {
    if (index < 0) return undefined;
    let at = index;
    for (const page of this.#pages) {
      if (at < page.rows.length) return page.rows[at];
      at -= page.rows.length;
    }
    return undefined;
  }

  // -1: it is not among those that were read.
  indexOf(id: string): number {
    let before = 0;
    for (const page of this.#pages) {
      const at = page.rows.findIndex((row) => row.id === id);
      if (at >= 0) return before + at;
      before += page.rows.length;
    }
    return -1;
  }

  start(): void {
    this.#active = true;
    for (const page of this.#pages) page.stale = true;
    this.#work();
  }

  stop(): void {
    this.#active = false;
    for (const end of this.#listening.values()) end();
    this.#listening.clear();
  }

  // Which rows are in view.
  want(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
    this.#work();
  }

  reload(): void {
    for (const page of this.#pages) page.stale = true;
    this.#work();
  }

  // Everything is another's: who reads may see other tasks than who read.
  forget(): void {
    this.#epoch += 1;
    for (const page of this.#pages) page.etag = null;
    this.reload();
  }

  // ---- changes that are shown before the server has made them ----

  hold(): void {
    this.#held += 1;
    this.#epoch += 1;
  }

  letGo(): void {
    this.#held -= 1;
    this.#epoch += 1;
    for (const page of this.#pages) page.etag = null;
    this.reload();
  }

  take(id: string): TaskRow | undefined {
    for (const page of this.#pages) {
      const at = page.rows.findIndex((row) => row.id === id);
      if (at < 0) continue;
      const [row] = page.rows.splice(at, 1);
      this.#add(-1);
      return row;
    }
    return undefined;
  }

  // Before the first that is not before it.
  put(row: TaskRow, isBefore: (a: TaskRow, b: TaskRow) => boolean): void {
    for (const page of this.#pages) {
      const at = page.rows.findIndex((other) => !isBefore(other, row));
      if (at < 0 && page !== this.#pages.at(-1)) continue;
      page.rows.splice(at < 0 ? page.rows.length : at, 0, row);
      this.#add(1);
      return;
    }
  }

  // A field of a row that is shown.
  patch(id: string, change: Partial<TaskRow>): void {
    for (const page of this.#pages) {
      page.rows = page.rows.map((row) => (row.id === id ? { ...row, ...change } : row));
    }
    this.changed.value += 1;
  }

  #add(count: number): void {
    if (this.#total !== null) this.#total += count;
    this.changed.value += 1;
  }

  // ---- reading ----

  #work(): void {
    if (this.#running || !this.#active || this.#held > 0) return;
    this.#running = true;
    void this.#run().finally(() => {
      this.#running = false;
      this.#listenToView();
    });
  }

  async #run(): Promise<void> {
    for (;;) {
      if (!this.#active || this.#held > 0) return;
      const job = this.#nextJob();
      if (job === null) return;
      const epoch = this.#epoch;
      try {
        await this.#read(job, epoch);
        this.error.value = null;
      } catch (error) {
        if (epoch !== this.#epoch) continue;
        this.begun.value = true;
        this.error.value = error instanceof ApiError ? error : new ApiError(500, String(error));
        return;
      }
    }
  }

  // Which page to read: the first that is in view and not up to date, or the next that is missing.
  #nextJob(): { at: number; uri: string } | null {
    if (this.#pages.length === 0) return { at: 0, uri: this.uri };
    let before = 0;
    for (const [at, page] of this.#pages.entries()) {
      const end = before + page.rows.length;
      const inView = before < this.#to && end >= this.#from;
      if (page.stale && (inView || at === this.#pages.length - 1)) return { at, uri: page.uri };
      before = end;
    }
    const next = this.#pages.at(-1)?.next;
    return next && before < this.#to + ahead ? { at: this.#pages.length, uri: next } : null;
  }

  async #read(job: { at: number; uri: string }, epoch: number): Promise<void> {
    const old = this.#pages[job.at];
    const fetched = await this.source.read(job.uri, old?.etag ?? null);
    // Moved or forgotten meanwhile: it is read again.
    if (epoch !== this.#epoch) return;
    if (fetched === null) {
      if (old) old.stale = false;
      return;
    }
    const said = JSON.parse(fetched.value.content) as TaskListPage;
    const page: Page = {
      uri: job.uri,
      rows: said.tasks,
      next: said.next ?? "",
      version: fetched.value.version,
      etag: fetched.etag,
      stale: false,
    };
    this.#pages[job.at] = page;
    this.#linkNext(job.at, page.next);
    if (said.total !== undefined) this.#total = said.total;
    this.incomplete = said.incomplete !== undefined;
    this.begun.value = true;
    this.changed.value += 1;
  }

  #linkNext(at: number, next: string): void {
    const following = this.#pages[at + 1];
    if (!following || following.uri === next) return;
    if (!next) {
      this.#pages.length = at + 1;
      return;
    }
    following.uri = next;
    following.etag = null;
    following.stale = true;
  }

  // ---- hearing of changes ----

  #listenToView(): void {
    const wanted = new Map<string, Page>();
    let before = 0;
    for (const page of this.#pages) {
      const end = before + page.rows.length;
      if (before <= this.#to && end >= this.#from) wanted.set(page.uri, page);
      before = end;
    }
    // An empty list, or one that cannot be read, may become another too.
    if (wanted.size === 0) wanted.set(this.uri, this.#pages[0] ?? this.#nothing());
    for (const [uri, end] of this.#listening) {
      if (this.#active && wanted.has(uri)) continue;
      end();
      this.#listening.delete(uri);
    }
    if (!this.#active) return;
    for (const uri of wanted.keys()) {
      if (this.#listening.has(uri)) continue;
      this.#listening.set(
        uri,
        this.source.listen(uri, (version) => this.#told(uri, version)),
      );
    }
  }

  #nothing(): Page {
    return { uri: this.uri, rows: [], next: "", version: undefined, etag: null, stale: true };
  }

  #told(uri: string, version: string | null): void {
    const page = this.#pages.find((each) => each.uri === uri);
    if (!page) {
      if (version !== null) this.#work();
      return;
    }
    if (version !== null && version === page.version && this.error.value === null) return;
    page.stale = true;
    this.#work();
  }
}
