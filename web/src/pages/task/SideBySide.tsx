// What one typed beside what somebody else saved meanwhile, with what differs marked.
import { useMemo } from "preact/hooks";
import { diffLines, type Hunk } from "../../backlog/diff";
import { useAutoFocus } from "../../parts/useAutoFocus";
import { texts } from "../../texts";

interface Props {
  title: string;
  mine: string;
  theirs: string;
  takeMine: () => void;
  takeTheirs: () => void;
  merge?: () => void;
}

export function SideBySide({ title, mine, theirs, takeMine, takeTheirs, merge }: Props) {
  const hunks = useMemo(() => diffLines(mine, theirs), [mine, theirs]);
  const heading = useAutoFocus<HTMLParagraphElement>();
  return (
    <section class="conflict" aria-label={texts.task.conflict}>
      <p ref={heading} tabIndex={-1} role="alert">
        <strong>{title}:</strong> {texts.task.conflict} {texts.task.conflictHint}
      </p>
      <div class="sides">
        <Side name={texts.task.mine} hunks={hunks} side="a" take={takeMine} takeText={texts.task.takeMine} />
        <Side
          name={texts.task.theirs}
          hunks={hunks}
          side="b"
          take={takeTheirs}
          takeText={texts.task.takeTheirs}
        />
      </div>
      {merge && (
        <button type="button" class="primary" onClick={merge}>
          {texts.task.merge}
        </button>
      )}
    </section>
  );
}

interface SideProps {
  name: string;
  hunks: Hunk[];
  side: "a" | "b";
  take: () => void;
  takeText: string;
}

function Side({ name, hunks, side, take, takeText }: SideProps) {
  return (
    <div class="side">
      <div class="part-head">
        <strong>{name}</strong>
        <button type="button" onClick={take}>
          {takeText}
        </button>
      </div>
      <pre class="text">
        {hunks.map((hunk, i) => {
          const lines = hunk[side].map((line) => `${line}\n`).join("");
          const text = i < hunks.length - 1 ? lines : lines.slice(0, -1);
          return hunk.kind === "same" ? <span key={i}>{text}</span> : <mark key={i}>{text}</mark>;
        })}
      </pre>
    </div>
  );
}
