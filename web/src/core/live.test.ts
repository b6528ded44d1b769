import { afterEach, describe, expect, it, vi } from "vitest";
import { listen, stream } from "./live";

// A server whose streams can be written to and ended.
function serve() {
  const asked: string[][] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let status = 200;
  vi.stubGlobal("fetch", async (url: string, { signal }: { signal: AbortSignal }) => {
    asked.push(new URLSearchParams(url.split("?")[1]).getAll("uri"));
    if (status === 0) throw new TypeError("unreachable");
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
      },
    });
    signal.addEventListener("abort", () => controller?.error(signal.reason));
    return new Response(status === 200 ? body : "{}", { status });
  });
  return {
    asked,
    tell: (uri: string, version: string | null) =>
      controller?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify({ uri, version })}\n\n`)),
    end: () => controller?.close(),
    answer: (next: number) => {
      status = next;
    },
  };
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("the stream of changes", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is one for all addresses, and is opened anew when they change", async () => {
    vi.useFakeTimers();
    const server = serve();
    const heard: string[] = [];
    const stops = ["a", "b"].map((uri) => listen(uri, (version) => heard.push(`${uri} ${version}`)));
    await wait(100);
    expect(server.asked).toEqual([["a", "b"]]);
    server.tell("a", "1");
    server.tell("b", null);
    server.tell("c", "1");
    await wait(1);
    expect(heard).toEqual(["a 1", "b null"]);
    const again = listen("a", () => heard.push("again"));
    await wait(100);
    expect(server.asked).toHaveLength(1);
    stops[1]?.();
    await wait(100);
    expect(server.asked.at(-1)).toEqual(["a"]);
    again();
    stops[0]?.();
    await wait(100);
    expect(server.asked).toHaveLength(2);
  });

  it("is opened again when it ends, later and later while the server is away", async () => {
    vi.useFakeTimers();
    const server = serve();
    const stop = listen("a", () => {});
    await wait(1000);
    server.end();
    await wait(100);
    expect(server.asked).toHaveLength(2);
    expect(stream.value).toBe("open");
    server.answer(0);
    server.end();
    await wait(700);
    expect(stream.value).toBe("away");
    const before = server.asked.length;
    await wait(60_000);
    expect(server.asked.length - before).toBeLessThan(15);
    server.answer(200);
    await wait(15_000);
    expect(stream.value).toBe("open");
    server.answer(401);
    await wait(1000);
    server.end();
    await wait(1000);
    expect(stream.value).toBe("refused");
    stop();
    await wait(100);
  });
});
