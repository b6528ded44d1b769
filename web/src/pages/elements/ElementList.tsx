import { AddressLink } from "../../parts/AddressLink";
import { CopyButton } from "../../parts/CopyButton";
import { Failure } from "../../parts/Notice";
import { useJson } from "../../parts/useJson";
import { texts } from "../../texts";

export interface ElementEntry {
  uri: string;
  id?: string;
  type?: string;
  name: string;
  description?: string;
  snippet?: string;
  version?: string;
  author?: string;
  updated?: string;
  tags?: string[];
  score?: number;
}

interface Listed {
  type?: string;
  total?: number;
  elements?: ElementEntry[];
  hits?: ElementEntry[];
  next?: string;
}

// A page of elements: of a type, of the last days, or found.
export function ElementList({ uri, where }: { uri: string; where: "main" | "pane" }) {
  const { value, error, reload } = useJson<Listed>(uri);
  if (error) return <Failure error={error} again={reload} />;
  if (!value) return <p class="faint">{texts.pane.loading}</p>;
  const all = value.elements ?? value.hits ?? [];
  return (
    <>
      <p class="faint" role="status">
        {all.length === 0 ? texts.elements.none : texts.elements.total(value.total ?? all.length)}
      </p>
      <Cards elements={all} type={value.type} />
      {value.next && (
        <AddressLink uri={value.next} where={where} class="button">
          {texts.project.next}
        </AddressLink>
      )}
    </>
  );
}

export function Cards({ elements, type }: { elements: ElementEntry[]; type?: string | undefined }) {
  return (
    <ul class="element-list">
      {elements.map((element) => (
        <li key={element.uri}>
          <p class="element-name">
            <AddressLink uri={element.uri}>{element.name}</AddressLink>
            {(element.type ?? type) && <span class="element-type">{element.type ?? type}</span>}
            <CopyButton text={element.uri} label={texts.pane.copyUri} />
          </p>
          {(element.description || element.snippet) && <p>{element.description || element.snippet}</p>}
          <p class="faint small">
            {[
              element.version,
              element.author,
              element.updated && new Date(element.updated).toLocaleDateString(),
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
          {element.tags && element.tags.length > 0 && (
            <ul class="chips">
              {element.tags.map((tag) => (
                <li key={tag}>
                  <AddressLink
                    uri={`capability-index://elements/${element.type ?? type}?tag=${encodeURIComponent(tag)}`}
                    where="main"
                  >
                    {tag}
                  </AddressLink>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
