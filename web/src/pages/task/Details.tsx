// Smaller parts of a task: references, evidence, problems of its file.
import type { Problem, Reference, Task } from "../../backlog/types";
import { nameOf, resolveLink } from "../../core/uri";
import { AddressLink } from "../../parts/AddressLink";
import { CopyButton } from "../../parts/CopyButton";
import { Section } from "../../parts/Section";
import { texts } from "../../texts";

interface ReferencesProps {
  references: Reference[] | undefined;
  base: string;
  level: number;
}

export function References({ references, base, level }: ReferencesProps) {
  if (!references?.length) return null;
  return (
    <Section title={texts.task.references} level={level}>
      <ul class="task-references">
        {references.map((reference) => (
          <li key={reference.url}>
            <ReferenceLink reference={reference} base={base} />
            <span class="faint mono">{reference.title ? reference.url : ""}</span>
            <CopyButton text={reference.url} label={texts.pane.copyUri} small />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ReferenceLink({ reference: { url, title }, base }: { reference: Reference; base: string }) {
  const text = title ?? url;
  if (/^https?:\/\//i.test(url)) {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    );
  }
  const uri = resolveLink(url, base);
  // What is neither of Lode nor of the web is no link.
  return uri ? <AddressLink uri={uri}>{title ?? nameOf(uri)}</AddressLink> : <span>{text}</span>;
}

export function Evidence({ task, level }: { task: Task; level: number }) {
  return (
    <>
      <Texts title={texts.task.blockedReason} all={task.blocked_reason} level={level} />
      <Texts title={texts.task.evidence} all={task.evidence} level={level} />
    </>
  );
}

function Texts({ title, all, level }: { title: string; all: string[] | undefined; level: number }) {
  if (!all?.length) return null;
  return (
    <Section title={title} level={level}>
      <ul class="texts">
        {all.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Section>
  );
}

interface ProblemsProps {
  problems: Problem[] | undefined;
  uri: string;
  level: number;
}

export function Problems({ problems, uri, level }: ProblemsProps) {
  if (!problems?.length) return null;
  return (
    <Section title={texts.task.problems} level={level} class="task-problems">
      <ul class="texts">
        {problems.map(({ line, problem }) => (
          <li key={`${line} ${problem}`}>
            {line !== undefined && (
              <AddressLink uri={`${uri}/file#L${line}`}>{texts.task.line(line)}</AddressLink>
            )}{" "}
            {problem}
          </li>
        ))}
      </ul>
    </Section>
  );
}
