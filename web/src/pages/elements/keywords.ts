// The words of the section "Top Keywords" of a summary: "1. **letter** (6.01)".
export function keywordsIn(text: string): string[] {
  const section = /^## Top Keywords\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text)?.[1] ?? "";
  return [...section.matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map((match) => match[1] ?? "");
}
