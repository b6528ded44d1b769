// A skill: what it is for, what it says, and its files.
import { useEffect, useState } from "preact/hooks";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { type Entry, readDirectory, sortedEntries } from "../../parts/directory";
import { FileIcon } from "../../parts/FileIcon";
import { Frontmatter } from "../../parts/Frontmatter";
import { Markdown } from "../../parts/Markdown";
import { Failure } from "../../parts/Notice";
import { Views } from "../../parts/Views";
import { texts } from "../../texts";
import "./skill.css";

export default function SkillPage({ uri, address, where, fragment }: PageProps) {
  const { resource, error, reload } = useResource(uri);
  const shown = resource.value;
  if (error.value) return <Failure error={error.value} again={reload} />;
  if (!shown) return <p class="faint">{texts.pane.loading}</p>;
  const { description } = shown.frontmatter;
  return (
    <Views uri={uri} where={where} fragment={fragment} resource={shown} rendered={texts.file.rendered}>
      {typeof description === "string" && <p class="skill-about">{description}</p>}
      <Frontmatter fields={shown.frontmatter} except={["name", "description"]} />
      <Files uri={`skill://${address.host}`} />
      <Markdown text={shown.content} base={uri} fragment={fragment} where={where} />
    </Views>
  );
}

function Files({ uri }: { uri: string }) {
  const resource = useResource(uri).resource.value;
  const [entries, setEntries] = useState<Entry[]>([]);
  useEffect(() => {
    if (resource) void readDirectory(uri, resource.content).then(setEntries);
  }, [uri, resource]);
  const others = entries.filter(({ name }) => name !== "SKILL.md");
  if (others.length === 0) return null;
  return (
    <section class="skill-files" aria-label={texts.elements.skillFiles}>
      {sortedEntries(others, "name", false).map(({ uri: file, name, directory }) => (
        <AddressLink key={file} uri={file}>
          <FileIcon directory={directory} />
          {name}
        </AddressLink>
      ))}
    </section>
  );
}
