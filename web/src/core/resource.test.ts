import { beforeEach, describe, expect, it, vi } from "vitest";

const read = vi.fn();
let told: (version: string | null) => void = () => {};
const stop = vi.fn();
vi.mock("./live", () => ({
  listen: (_uri: string, listener: typeof told) => {
    told = listener;
    return stop;
  },
}));
vi.mock("./api", async (original) => ({ ...(await original<object>()), readResource: read }));

const { ApiError } = await import("./api");
const { Entry } = await import("./resource");

const settled = () => new Promise((resolve) => setTimeout(resolve, 1));
const answer = (version: string) => ({ value: { content: version, version }, etag: `"${version}"` });

describe("what is at an address", () => {
  beforeEach(() => {
    read.mockReset();
    stop.mockReset();
  });

  it("is read once for the version that the stream begins with, and again for another", async () => {
    read.mockResolvedValueOnce(answer("1"));
    const entry = new Entry("a");
    entry.hold();
    await settled();
    told("1");
    await settled();
    expect(read).toHaveBeenCalledTimes(1);
    read.mockResolvedValueOnce(answer("2"));
    told("2");
    await settled();
    expect(entry.resource.value?.content).toBe("2");
    expect(read).toHaveBeenLastCalledWith("a", '"1"');
  });

  it("is not older than a change that came while it was being read", async () => {
    let finish: (value: unknown) => void = () => {};
    read.mockReturnValueOnce(new Promise((resolve) => (finish = resolve)));
    read.mockResolvedValueOnce(answer("2"));
    const entry = new Entry("a");
    entry.hold();
    told("2");
    told("2");
    finish(answer("1"));
    await settled();
    expect(entry.resource.value?.content).toBe("2");
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("stays while the server is away, and goes when it is gone", async () => {
    read.mockResolvedValueOnce(answer("1"));
    const entry = new Entry("a");
    entry.hold();
    await settled();
    read.mockRejectedValueOnce(new ApiError(0, "away"));
    await entry.reload();
    expect(entry.resource.value?.content).toBe("1");
    expect(entry.offline.value).toBe(true);
    // Back again, with the same version.
    read.mockResolvedValueOnce(null);
    told("1");
    await settled();
    expect(entry.offline.value).toBe(false);
    read.mockRejectedValueOnce(new ApiError(404, "no such resource"));
    told(null);
    await settled();
    expect(entry.resource.value).toBeNull();
    expect(entry.error.value?.status).toBe(404);
    told(null);
    await settled();
    expect(read).toHaveBeenCalledTimes(4);
  });

  it("is listened to while somebody shows it", async () => {
    read.mockResolvedValue(answer("1"));
    const entry = new Entry("a");
    entry.hold();
    entry.hold();
    entry.release();
    expect(stop).not.toHaveBeenCalled();
    entry.release();
    expect(stop).toHaveBeenCalledTimes(1);
    expect(entry.idle).toBe(true);
  });
});
