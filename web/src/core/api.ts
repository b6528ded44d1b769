// Asks Lode as any client would: GET /mcp/resource, and requests of MCP on POST /mcp.
import { signal } from "@preact/signals";
import { texts } from "../texts";
import { authorization, token, tokenRefused } from "./credentials";
import { dataOfEvents } from "./events";
import { withoutFragment } from "./uri";

// What GET /mcp/resource answers (docs/http.md).
export interface Resource {
  content: string;
  encoding: "utf-8" | "base64";
  frontmatter: Record<string, unknown>;
  type: string;
  path: string | null;
  uri: string;
  ext: string;
  size: number;
  version?: string;
  modified?: string;
  origin?: string;
  notice?: string;
  problem?: string;
}

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: the server cannot be reached
    message: string,
  ) {
    super(message);
  }
}

export interface Fetched<T> {
  value: T;
  etag: string | null;
}

// Whether the last request was answered, whatever the answer.
export const reachable = signal(true);

async function request(url: string, init: RequestInit): Promise<Response> {
  const sent = token.value;
  let response: Response;
  try {
    response = await fetch(url, { credentials: "omit", redirect: "error", ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    reachable.value = false;
    throw new ApiError(0, texts.errors.unreachable);
  }
  reachable.value = true;
  if (response.status === 401 && sent !== null && sent === token.value) tokenRefused();
  return response;
}

async function failure(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { message?: string; error?: { message?: string } };
    return new ApiError(response.status, body.message ?? body.error?.message ?? text);
  } catch {
    return new ApiError(response.status, text || `status ${response.status}`);
  }
}

function resourceUrl(uri: string): string {
  return `/mcp/resource?uri=${encodeURIComponent(withoutFragment(uri))}`;
}

// Null: it has not changed since the ETag.
export async function readResource(
  uri: string,
  etag?: string | null,
  signal?: AbortSignal,
): Promise<Fetched<Resource> | null> {
  const headers: Record<string, string> = authorization();
  if (etag) headers["If-None-Match"] = etag;
  const response = await request(resourceUrl(uri), { headers, signal: signal ?? null });
  if (response.status === 304) return null;
  if (!response.ok) throw await failure(response);
  return { value: (await response.json()) as Resource, etag: response.headers.get("ETag") };
}

export async function readJson<T>(uri: string, signal?: AbortSignal): Promise<T> {
  const fetched = await readResource(uri, null, signal);
  return JSON.parse(fetched?.value.content ?? "null") as T;
}

// The bytes themselves; for images and media, which cannot send a token by themselves.
export async function readBlob(uri: string, signal?: AbortSignal): Promise<Blob> {
  const response = await request(`${resourceUrl(uri)}&raw=1`, {
    headers: authorization(),
    signal: signal ?? null,
  });
  if (!response.ok) throw await failure(response);
  return response.blob();
}

const revision = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientInfo": { name: "lode-viewer", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
let lastId = 0;

// One request of MCP, without a session. `name`: of the tool or the address that it is about.
export async function callMethod<T>(method: string, params: object, name?: string): Promise<T> {
  lastId += 1;
  const headers: Record<string, string> = {
    ...authorization(),
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": revision,
    "Mcp-Method": method,
  };
  if (name !== undefined) headers["Mcp-Name"] = name;
  const body = JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params: { ...params, _meta: meta } });
  const response = await request("/mcp", { method: "POST", headers, body });
  if (!response.ok) throw await failure(response);
  const text = await response.text();
  const streamed = response.headers.get("Content-Type")?.startsWith("text/event-stream");
  const answer = JSON.parse(streamed ? (dataOfEvents(text).at(-1) ?? "null") : text);
  if (answer.error) throw new ApiError(statusOf(answer.error.code), answer.error.message);
  return answer.result as T;
}

// What the tool answers, as text. An ApiError also if the tool itself refused (status 422).
export async function callTool(name: string, args: unknown): Promise<string> {
  const result = await callMethod<{ content: { text?: string }[]; isError?: boolean }>(
    "tools/call",
    { name, arguments: args },
    name,
  );
  const said = result.content.map((block) => block.text ?? "").join("\n");
  if (result.isError) throw new ApiError(422, said);
  return said;
}

function statusOf(code: number): number {
  return code === -31403 ? 403 : code === -32602 ? 400 : 500;
}

// What went wrong, as one would say it to a person.
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  return error.status === 401 || error.status === 403
    ? `${texts.errors.denied} ${error.message}`
    : error.message;
}
