import { expect, it } from "vitest";
import { slugs } from "./slug";

it("names headings as forges do", () => {
  const slug = slugs();
  expect(slug("What's new?")).toBe("whats-new");
  expect(slug("What's new?")).toBe("whats-new-1");
  expect(slug("Größe & Maß")).toBe("größe--maß");
  expect(slug("!!!")).toBe("section");
});
