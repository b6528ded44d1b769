// A markdown file: rendered, with its frontmatter; or its text.
import { useState } from "preact/hooks";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { Frontmatter } from "../../parts/Frontmatter";
import { Markdown } from "../../parts/Markdown";
import type { Heading } from "../../parts/markdown/document";
import { Notice } from "../../parts/Notice";
import { sourceView, Views } from "../../parts/Views";
import { texts } from "../../texts";
import "./document.css";

const longest = 2_000_000; // characters; what is longer is shown as a text

export default function MarkdownPage({ uri, where, fragment }: PageProps) {
  const resource = useResource(uri).resource.value;
  const [headings, setHeadings] = useState<Heading[]>([]);
  if (!resource) return null;
  const tooLong = resource.content.length > longest;
  return (
    <Views
      uri={uri}
      where={where}
      fragment={tooLong && !fragment ? sourceView : fragment}
      resource={resource}
      rendered={texts.file.rendered}
    >
      {resource.problem && <Notice text={resource.problem} />}
      <div class="document">
        <div>
          <Frontmatter fields={resource.frontmatter} />
          <Markdown
            text={resource.content}
            base={uri}
            fragment={fragment}
            where={where}
            onHeadings={setHeadings}
          />
        </div>
        {headings.length > 2 && <Contents headings={headings} uri={uri} where={where} />}
      </div>
    </Views>
  );
}

// The way through a long text, where there is room for it.
function Contents({ headings, uri, where }: { headings: Heading[] } & Pick<PageProps, "uri" | "where">) {
  return (
    <nav class="contents" aria-label={texts.file.contents}>
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id} data-level={level}>
            <AddressLink uri={`${uri}#${encodeURIComponent(id)}`} where={where}>
              {text}
            </AddressLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
