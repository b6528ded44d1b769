// One element: what it is, what it belongs to, and its text where that is shown.
import { useMemo } from "preact/hooks";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { Frontmatter } from "../../parts/Frontmatter";
import { Markdown } from "../../parts/Markdown";
import { Failure } from "../../parts/Notice";
import { texts } from "../../texts";
import "./element.css";

interface About {
  id: string;
  name: string;
  type: string;
  description?: string;
  relations?: { kind: string; target: string; uri?: string }[];
  note?: string;
  [field: string]: unknown;
}

export default function ElementPage({ uri, address }: PageProps) {
  const { resource, error, reload } = useResource(uri);
  const shown = resource.value;
  const about = useMemo(() => (shown?.type === "application/json" ? parse(shown.content) : null), [shown]);
  const [type = "", id = ""] = address.segments;
  if (error.value) return <Failure error={error.value} again={reload} />;
  if (!shown) return <p class="faint">{texts.pane.loading}</p>;
  return (
    <>
      <p class="element-way">
        <AddressLink uri={`capability-index://elements/${type}`} where="main">
          {texts.elements.types[type] ?? type}
        </AddressLink>
        {type === "skill" && (
          <AddressLink uri={`skill://${encodeURIComponent(id)}/SKILL.md`}>
            {texts.elements.openSkill}
          </AddressLink>
        )}
      </p>
      {about ? (
        <AboutElement about={about} />
      ) : (
        <>
          <Frontmatter fields={shown.frontmatter} />
          {shown.type === "text/markdown" ? (
            <Markdown text={shown.content} base={uri} />
          ) : (
            <pre class="text">{shown.content}</pre>
          )}
        </>
      )}
    </>
  );
}

function AboutElement({ about }: { about: About }) {
  const { description, relations = [], note } = about;
  return (
    <>
      {description && <p class="element-about">{description}</p>}
      <Frontmatter fields={about} except={["uri", "name", "description", "relations", "note"]} />
      {relations.length > 0 && (
        <section>
          <h2>{texts.elements.relations}</h2>
          <ul>
            {relations.map(({ kind, target, uri }) => (
              <li key={`${kind} ${target}`}>
                {kind}{" "}
                {uri ? (
                  <AddressLink uri={uri}>{target}</AddressLink>
                ) : (
                  <span>{texts.elements.gone(target)}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {note && <p class="faint">{note}</p>}
    </>
  );
}

function parse(text: string): About | null {
  try {
    return JSON.parse(text) as About;
  } catch {
    return null;
  }
}
