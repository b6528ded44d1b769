import { useMemo } from "preact/hooks";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { CopyButton } from "../../parts/CopyButton";
import { fileUri } from "../../parts/files";
import { Markdown } from "../../parts/Markdown";
import { Failure } from "../../parts/Notice";
import { texts } from "../../texts";
import { Languages } from "./Languages";
import { changedIn, commandsIn, largestIn, manifestsIn, parseSummary, type Section } from "./summary";
import { Tree } from "./Tree";

interface Props {
  uri: string;
  path: string;
}

export function SummaryView({ uri, path }: Props) {
  const { resource, error, reload } = useResource(uri);
  const content = resource.value?.content ?? "";
  const summary = useMemo(() => parseSummary(content), [content]);
  if (error.value) return <Failure error={error.value} again={reload} />;
  if (!resource.value) return <p class="faint">{texts.pane.loading}</p>;
  const file = (name: string) => fileUri(path ? `${path}/${name}` : name);
  return (
    <div class="project">
      <div class="project-main">
        {summary.about && <Markdown text={summary.about} base={file("README.md")} />}
        <p class="faint">{summary.counts}</p>
        {summary.sections.map((section) => (
          <section key={section.title} class="project-section">
            <h2>{section.title}</h2>
            {section.title === "Languages" && summary.languages.length > 0 ? (
              <Languages languages={summary.languages} rest={section.text} />
            ) : (
              <SectionView section={section} file={file} />
            )}
          </section>
        ))}
      </div>
      <aside class="project-side" aria-label={texts.project.structure}>
        <h2>{texts.project.structure}</h2>
        <Tree path={path} />
      </aside>
    </div>
  );
}

interface SectionProps {
  section: Section;
  file: (name: string) => string;
}

// What is known of a section as links; what is not, as it stands.
function SectionView({ section: { title, text }, file }: SectionProps) {
  const link = (name: string) => <AddressLink uri={file(name)}>{name}</AddressLink>;
  if (title === "Build") {
    const commands = commandsIn(text);
    const rest = text.split("\n").filter((line) => !/^- .+: `.+` \(.+\)$/.test(line));
    return (
      <>
        {rest.length > 0 && <Markdown text={rest.join("\n")} base={file("README.md")} />}
        <ul class="commands">
          {commands.map(({ name, command, file: from }) => (
            <li key={`${name} ${from}`}>
              <span>{name}</span> <code>{command}</code>{" "}
              <CopyButton text={command} label={texts.project.copy} />
              <span class="faint">{link(from)}</span>
            </li>
          ))}
        </ul>
      </>
    );
  }
  if (title === "Dependencies")
    return (
      <>
        {manifestsIn(text).map(({ file: from, groups, problem }) => (
          <div key={from} class="manifest">
            <p>{link(from)}</p>
            {problem && <p class="faint">{problem}</p>}
            {groups.map((group) => (
              <details key={group.title} open={group.packages.length <= 12}>
                <summary class="faint">{group.title}</summary>
                <ul class="chips">
                  {group.packages.map((name) => (
                    <li key={name}>{name}</li>
                  ))}
                </ul>
              </details>
            ))}
          </div>
        ))}
      </>
    );
  if (title === "Entry points")
    return (
      <ul class="plain">
        {text.split("\n").map((line) => {
          const match = /^- (.+) \((.+)\)$/.exec(line);
          return match ? (
            <li key={line}>
              <AddressLink uri={file(match[2] ?? "")}>{match[1]}</AddressLink>{" "}
              <span class="faint">{match[2]}</span>
            </li>
          ) : (
            <li key={line}>{line.replace(/^- /, "")}</li>
          );
        })}
      </ul>
    );
  if (title === "Largest files")
    return (
      <ul class="plain">
        {largestIn(text).map(({ file: name, size }) => (
          <li key={name}>
            {link(name)} <span class="faint">{size}</span>
          </li>
        ))}
      </ul>
    );
  const changed = title === "Git" ? changedIn(text) : null;
  if (changed)
    return (
      <>
        <p>{text.split("\n")[0]}</p>
        <p class="faint">{changed.about}</p>
        <ul class="plain">
          {changed.files.map(({ file: name, times }) => (
            <li key={name}>
              {link(name)} <span class="faint">{texts.project.times(times)}</span>
            </li>
          ))}
        </ul>
      </>
    );
  return <Markdown text={text} base={file("README.md")} />;
}
