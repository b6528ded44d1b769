// Whether the page is dark now: by the person's choice, else by the system's.
import { computed, signal } from "@preact/signals";
import { settings } from "../core/settings";

const system = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(system.matches);
system.addEventListener("change", () => {
  systemIsDark.value = system.matches;
});

export const dark = computed(() =>
  settings.value.theme === "system" ? systemIsDark.value : settings.value.theme === "dark",
);
