import { effect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { readResource } from "../core/api";
import { token } from "../core/credentials";
import { listen } from "../core/live";
import { TaskPages } from "./pages";

const source = { read: readResource, listen };
const kept = 12;
const cache = new Map<string, TaskPages>();
const users = new Map<TaskPages, number>();

// A list outlives its last reader for a while, so that Back shows at once what was there.
function pagesOf(uri: string): TaskPages {
  const pages = cache.get(uri) ?? new TaskPages(uri, source);
  cache.delete(uri);
  cache.set(uri, pages);
  for (const [key, old] of cache) {
    if (cache.size <= kept) break;
    if (!users.has(old)) cache.delete(key);
  }
  return pages;
}

// For components: the list is read and listened to while the component is there.
export function useTaskPages(uri: string): TaskPages {
  const [pages, setPages] = useState(() => pagesOf(uri));
  useEffect(() => {
    const current = pagesOf(uri);
    setPages(current);
    const count = users.get(current) ?? 0;
    users.set(current, count + 1);
    if (count === 0) current.start();
    return () => {
      const left = (users.get(current) ?? 1) - 1;
      if (left > 0) {
        users.set(current, left);
        return;
      }
      users.delete(current);
      current.stop();
    };
  }, [uri]);
  return pages.uri === uri ? pages : pagesOf(uri);
}

// All lists that somebody looks at; a row that changed may be in several.
export function openLists(): TaskPages[] {
  return [...users.keys()];
}

let first = true;
effect(() => {
  token.value;
  if (first) {
    first = false;
    return;
  }
  for (const [key, pages] of cache) {
    if (users.has(pages)) pages.forget();
    else cache.delete(key);
  }
});
