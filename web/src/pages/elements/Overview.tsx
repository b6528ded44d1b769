import { useMemo } from "preact/hooks";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { Failure } from "../../parts/Notice";
import { useJson } from "../../parts/useJson";
import { texts } from "../../texts";
import { Cards, type ElementEntry } from "./ElementList";
import type { Stats } from "./ElementsPage";
import { keywordsIn } from "./keywords";

// How many there are of each type, what changed lately, and by which words they are told apart.
export function Overview({ uri, stats }: { uri: string; stats: Stats | null }) {
  const { resource, error, reload } = useResource(uri);
  const { value: recent } = useJson<{ elements: ElementEntry[]; total: number }>(
    "capability-index://recent?days=7",
  );
  const content = resource.value?.content ?? "";
  const keywords = useMemo(() => keywordsIn(content), [content]);
  if (error.value) return <Failure error={error.value} again={reload} />;
  return (
    <>
      <ul class="counts">
        {Object.entries(stats?.element_counts ?? {}).map(([type, count]) => (
          <li key={type}>
            <AddressLink uri={`capability-index://elements/${type}`} where="main">
              <strong>{count}</strong> {texts.elements.types[type] ?? type}
            </AddressLink>
          </li>
        ))}
      </ul>
      {stats && stats.problems > 0 && (
        <p class="notice">
          <AddressLink uri="capability-index://problems" where="main">
            {texts.elements.problems(stats.problems)}
          </AddressLink>
        </p>
      )}
      {keywords.length > 0 && (
        <section>
          <h2>{texts.elements.keywords}</h2>
          <ul class="chips">
            {keywords.map((word) => (
              <li key={word}>
                <AddressLink uri={`capability-index://search?q=${encodeURIComponent(word)}`} where="main">
                  {word}
                </AddressLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      {recent && (
        <section>
          <h2>{texts.elements.recent}</h2>
          {recent.elements.length === 0 && <p class="faint">{texts.elements.none}</p>}
          <Cards elements={recent.elements.slice(0, 10)} />
        </section>
      )}
      <p>
        <AddressLink uri="capability-index://full">{texts.elements.all}</AddressLink>
      </p>
    </>
  );
}
