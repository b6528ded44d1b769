// What is wrong with which file of the backlog.
import { useMemo, useState } from "preact/hooks";
import type { ProblemsPage as Page } from "../../backlog/types";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { AddressLink } from "../../parts/AddressLink";
import { Failure } from "../../parts/Notice";
import { texts } from "../../texts";
import "./problems.css";

export default function ProblemsPage({ uri }: PageProps) {
  return <Problems uri={uri} isFirst />;
}

function Problems({ uri, isFirst }: { uri: string; isFirst: boolean }) {
  const { resource, error, reload } = useResource(uri);
  const [goesOn, setGoesOn] = useState(false);
  const content = resource.value?.content;
  const page = useMemo(() => (content ? (JSON.parse(content) as Page) : null), [content]);
  if (error.value) return <Failure error={error.value} again={reload} />;
  if (!page) return <p class="faint">{texts.pane.loading}</p>;
  return (
    <>
      {isFirst && <p role="status">{texts.problems.count(page.count)}</p>}
      <ul class="backlog-problems">
        {page.problems.map(({ id, file, line, problem, uri: task }) => (
          <li key={`${file} ${line} ${problem}`}>
            <AddressLink uri={task} class="mono">
              {id}
            </AddressLink>
            <span>{problem}</span>
            <AddressLink uri={`${task}/file${line ? `#L${line}` : ""}`} class="mono problem-file">
              {line ? `${file}:${line}` : file}
            </AddressLink>
          </li>
        ))}
      </ul>
      {page.next && !goesOn && (
        <button type="button" onClick={() => setGoesOn(true)}>
          {texts.problems.more}
        </button>
      )}
      {page.next && goesOn && <Problems uri={page.next} isFirst={false} />}
    </>
  );
}
