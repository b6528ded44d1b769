import { describe, expect, it } from "vitest";
import { ApiError } from "../core/api";
import { comesBefore } from "./order";
import { TaskPages } from "./pages";
import type { TaskRow } from "./types";

// A server with a list that is sorted by id, in pages of three.
class Server {
  rows: TaskRow[] = [];
  reads: string[] = [];
  told = new Map<string, (version: string | null) => void>();
  away = false;

  constructor(count: number) {
    for (let i = 0; i < count; i += 1) this.add(i * 10);
  }
  add(number: number): void {
    this.rows.push({ id: `T-${String(number).padStart(4, "0")}`, title: `${number}`, type: "task" });
    this.rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  page(uri: string): string {
    const after = uri.split("after=")[1] ?? "";
    const rest = this.rows.filter((row) => row.id > after);
    const tasks = rest.slice(0, 3);
    const next = rest.length > 3 ? `list?after=${tasks.at(-1)?.id}` : undefined;
    return JSON.stringify({ tasks, total: this.rows.length, next });
  }
  read = async (uri: string, etag: string | null) => {
    this.reads.push(uri);
    await Promise.resolve();
    if (this.away) throw new ApiError(0, "away");
    const content = this.page(uri);
    if (etag === content) return null;
    return { value: { content, version: content } as never, etag: content };
  };
  listen = (uri: string, told: (version: string | null) => void) => {
    this.told.set(uri, told);
    return () => void this.told.delete(uri);
  };
  tellAll(): void {
    for (const [uri, told] of [...this.told]) told(this.page(uri));
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const ids = (pages: TaskPages) => Array.from({ length: pages.known }, (_, i) => pages.row(i)?.title);

async function open(server: Server): Promise<TaskPages> {
  const pages = new TaskPages("list", server);
  pages.start();
  await settled();
  return pages;
}

describe("a list in pages", () => {
  it("reads what is near, and follows", async () => {
    const server = new Server(300);
    const pages = await open(server);
    expect(pages.count).toBe(300);
    expect(pages.total).toBe(300);
    expect(pages.known).toBeLessThan(120);
    pages.want(150, 160);
    await settled();
    expect(pages.row(159)?.title).toBe("1590");
    expect(pages.known).toBeLessThan(270);
    pages.want(299, 300);
    await settled();
    expect(pages.known).toBe(300);
    expect(new Set(server.reads).size).toBe(server.reads.length);
    expect(server.told.size).toBeLessThan(4);
  });

  it("shows a change in view, and what follows it", async () => {
    const server = new Server(9);
    const pages = await open(server);
    pages.want(0, 9);
    await settled();
    server.add(5);
    server.tellAll();
    await settled();
    expect(ids(pages)).toEqual(["0", "5", "10", "20", "30", "40", "50", "60", "70", "80"]);
    server.rows.splice(0, 8);
    server.tellAll();
    await settled();
    expect(ids(pages)).toEqual(["70", "80"]);
    expect(pages.total).toBe(2);
    server.rows = [];
    server.tellAll();
    await settled();
    expect(pages.count).toBe(0);
    server.add(1);
    server.tellAll();
    await settled();
    expect(ids(pages)).toEqual(["1"]);
  });

  it("does not read pages out of view again for a change", async () => {
    const server = new Server(60);
    const pages = await open(server);
    pages.want(57, 60);
    await settled();
    server.reads = [];
    server.add(595);
    server.tellAll();
    await settled();
    expect(pages.row(60)?.title).toBe("595");
    expect(server.reads.length).toBeLessThan(5);
    // What changed meanwhile above is found when it is looked at: the stream tells its version.
    server.rows = server.rows.filter((row) => row.title !== "10");
    pages.want(0, 3);
    await settled();
    server.tellAll();
    await settled();
    expect(pages.row(1)?.title).toBe("20");
  });

  it("keeps what it has while the server is away, and goes on", async () => {
    const server = new Server(3);
    const pages = await open(server);
    server.away = true;
    server.add(5);
    server.tellAll();
    await settled();
    expect(pages.error.value?.status).toBe(0);
    expect(pages.known).toBe(3);
    server.away = false;
    server.tellAll();
    await settled();
    expect(pages.error.value).toBeNull();
    expect(pages.known).toBe(4);
  });

  it("shows a move before the server has made it, and does not take it back meanwhile", async () => {
    const server = new Server(4);
    const pages = await open(server);
    pages.hold();
    const row = pages.take("T-0010");
    expect(row?.title).toBe("10");
    expect(pages.total).toBe(3);
    server.tellAll();
    await settled();
    expect(pages.indexOf("T-0010")).toBe(-1);
    if (row) pages.put(row, comesBefore);
    expect(ids(pages)).toEqual(["0", "10", "20", "30"]);
    pages.take("T-0010");
    server.rows = server.rows.filter((each) => each.id !== "T-0010");
    pages.letGo();
    await settled();
    expect(ids(pages)).toEqual(["0", "20", "30"]);
  });

  it("stops listening when nobody looks", async () => {
    const server = new Server(3);
    const pages = await open(server);
    expect(server.told.size).toBe(1);
    pages.stop();
    expect(server.told.size).toBe(0);
    server.add(5);
    pages.start();
    await settled();
    expect(pages.known).toBe(4);
  });
});
