import { useMemo, useState } from "preact/hooks";
import { useResource } from "../core/resource";
import { AddressLink } from "../parts/AddressLink";
import { Failure } from "../parts/Notice";
import { texts } from "../texts";
import { agoOf } from "./due";
import type { HistoryPage, Revision } from "./types";
import "./history.css";

// The commits that changed a task, newest first. Each page is listened to like any other address.
export function History({ uri }: { uri: string }) {
  const { resource, error, reload } = useResource(uri);
  const [goesOn, setGoesOn] = useState(false);
  const content = resource.value?.content;
  const page = useMemo(() => (content ? (JSON.parse(content) as HistoryPage) : null), [content]);
  if (error.value) return <Failure error={error.value} again={reload} />;
  if (!page) return <p class="faint">{texts.pane.loading}</p>;
  if (page.history.length === 0) return <p class="faint">{texts.task.noHistory}</p>;
  const now = new Date();
  return (
    <>
      <ol class="history">
        {page.history.map((revision) => (
          <RevisionItem key={revision.commit} revision={revision} task={page.uri} now={now} />
        ))}
      </ol>
      {page.incomplete && <p class="faint">{page.incomplete}</p>}
      {page.next && !goesOn && (
        <button type="button" onClick={() => setGoesOn(true)}>
          {texts.task.older}
        </button>
      )}
      {page.next && goesOn && <History uri={page.next} />}
    </>
  );
}

const shortest = 10; // letters of a commit

function RevisionItem({ revision, task, now }: { revision: Revision; task: string; now: Date }) {
  return (
    <li>
      <p>
        <AddressLink uri={`${task}@${revision.commit}`} class="mono">
          {revision.commit.slice(0, shortest)}
        </AddressLink>{" "}
        <strong>{revision.subject}</strong>
      </p>
      <p class="faint">
        {revision.author},{" "}
        <time dateTime={revision.time} title={new Date(revision.time).toLocaleString()}>
          {agoOf(revision.time, now)}
        </time>
      </p>
      <dl>
        {revision.changes.filter(saysSomething).map(({ field, from, to }) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>
              {from !== undefined && <del>{plain(from)}</del>} {to !== undefined && <ins>{plain(to)}</ins>}
              {from === undefined && to === undefined && texts.task.bodyChanged}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

// That it changed is said by the commit itself.
function saysSomething({ field }: { field: string }): boolean {
  return field !== "updated_at" && field !== "updated";
}

function plain(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return JSON.stringify(value);
}
