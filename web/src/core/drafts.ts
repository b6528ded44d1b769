// What is being typed and not yet saved, kept for this tab: a reload or a closed pane loses none.
const prefix = "lode.draft:";

export function keepDraft(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // Storage is full: what is typed stays in its field.
  }
}

export function draftOf<T>(name: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(prefix + name);
}
