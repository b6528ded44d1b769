// The token with which this page calls. It comes in the fragment of the link that `lode serve`
// prints (#token=…), or is typed in; it is taken out of the address at once, so that it is in
// neither the history nor a bookmark, and is kept for this tab alone. A tab that was opened from
// another has none: it asks the other tabs of this origin, which tell it; nothing is stored.
import { signal } from "@preact/signals";

const key = "lode.token";

export const token = signal<string | null>(null);
// The server did not know the last token.
export const refused = signal(false);

type Message = { say: "who has a token?" } | { say: "this is it"; token: string } | { say: "forget it" };

const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("lode.token");

function tell(message: Message): void {
  tabs?.postMessage(message);
}

function keep(given: string | null): void {
  if (given === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, given);
  token.value = given;
}

function heard({ data }: MessageEvent<Message>): void {
  if (data.say === "who has a token?" && token.value) tell({ say: "this is it", token: token.value });
  else if (data.say === "this is it" && token.value === null && !refused.value) keep(data.token);
  else if (data.say === "forget it") keep(null);
}

export function takeToken(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get("token");
  if (given !== null) {
    fragment.delete("token");
    const rest = fragment.toString();
    history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
    useToken(given);
    return;
  }
  if (token.value !== null) return;
  token.value = sessionStorage.getItem(key);
  if (token.value === null) tell({ say: "who has a token?" });
}

export function listenToTabs(): void {
  tabs?.addEventListener("message", heard);
  window.addEventListener("hashchange", takeToken);
}

export function useToken(given: string): void {
  refused.value = false;
  keep(given);
}

// Everywhere: a tab that kept it would give it back.
export function forgetToken(): void {
  keep(null);
  tell({ say: "forget it" });
}

// It is none any more; would it go on being sent, even what a visitor may read would be refused.
export function tokenRefused(): void {
  refused.value = true;
  keep(null);
}

export function authorization(): Record<string, string> {
  return token.value ? { Authorization: `Bearer ${token.value}` } : {};
}
