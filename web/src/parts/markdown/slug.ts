// The name of a heading in a link, as forges make it: "What's new?" is "whats-new"; of equal ones
// the second is "whats-new-1".
export function slugs(): (text: string) => string {
  const used = new Map<string, number>();
  return (text) => {
    const slug =
      text
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-") || "section";
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
