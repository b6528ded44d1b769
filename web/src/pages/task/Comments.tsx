import { useState } from "preact/hooks";
import type { Comment } from "../../backlog/body";
import { agoOf } from "../../backlog/due";
import type { Task } from "../../backlog/types";
import { addComment } from "../../backlog/write";
import { announce } from "../../core/announce";
import { reasonOf } from "../../core/api";
import { draftOf, dropDraft, keepDraft } from "../../core/drafts";
import { Markdown } from "../../parts/Markdown";
import { Section } from "../../parts/Section";
import { texts } from "../../texts";

interface Props {
  task: Task;
  comments: Comment[];
  base: string;
  level: number;
  mayWrite: boolean;
}

export function Comments({ task, comments, base, level, mayWrite }: Props) {
  if (comments.length === 0 && !mayWrite) return null;
  const now = new Date();
  return (
    <Section title={texts.task.comments} note={comments.length || null} level={level}>
      <ol class="comments">
        {comments.map((comment) => (
          <li key={`${comment.when} ${comment.who} ${comment.text}`}>
            <p class="comment-head">
              <strong>{comment.who}</strong>{" "}
              <time class="faint" dateTime={comment.when} title={comment.when}>
                {agoOf(comment.when, now)}
              </time>
            </p>
            <Markdown text={comment.text} base={base} level={level + 1} />
          </li>
        ))}
      </ol>
      {mayWrite && <NewComment id={task.id} />}
    </Section>
  );
}

function NewComment({ id }: { id: string }) {
  const draft = `${id}.comment`;
  const [text, setText] = useState(() => draftOf<string>(draft) ?? "");
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState(false);
  const type = (next: string) => {
    setText(next);
    if (next) keepDraft(draft, next);
    else dropDraft(draft);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!text.trim() || busy) return;
    setBusy(true);
    try {
      await addComment(id, text);
      type("");
      setFailed("");
      announce(texts.task.commented);
    } catch (error) {
      setFailed(reasonOf(error));
    }
    setBusy(false);
  };
  return (
    <form class="new-comment" onSubmit={submit}>
      <textarea
        data-key="c"
        rows={2}
        aria-label={texts.task.newComment}
        placeholder={texts.task.newComment}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
          else if (event.key === "Escape") event.currentTarget.blur();
          else return;
          event.preventDefault();
        }}
      />
      {failed && (
        <p class="notice" role="alert">
          {failed}
        </p>
      )}
      <button type="submit" disabled={busy || !text.trim()}>
        {texts.task.comment}
      </button>
    </form>
  );
}
