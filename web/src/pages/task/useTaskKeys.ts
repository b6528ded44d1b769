import type { RefObject } from "preact";
import { type Key, useKeys } from "../../core/keys";
import { texts } from "../../texts";

// Each key presses the control of that name.
export function useTaskKeys(element: RefObject<HTMLElement | null>, mayWrite: boolean): void {
  const group = texts.task.task;
  const within = () => element.current?.closest(".pane") ?? null;
  const press = (name: string) => () => {
    const found = element.current?.querySelector<HTMLElement>(`[data-key="${name}"]`);
    const control = found?.matches("button, textarea, input")
      ? found
      : found?.querySelector<HTMLElement>("button, input");
    if (!control) return false;
    control.scrollIntoView({ block: "nearest" });
    control.focus();
    if (control instanceof HTMLButtonElement) control.click();
    return true;
  };
  const names = texts.task.keys;
  const keys: Key[] = mayWrite
    ? (Object.keys(names) as (keyof typeof names)[]).map((name) => ({
        keys: name,
        group,
        text: names[name],
        run: press(name),
        within,
      }))
    : [];
  useKeys(keys);
}
