import { useEffect, useState } from "preact/hooks";
import { readResource } from "../../core/api";
import { AddressLink } from "../../parts/AddressLink";
import { fileUri } from "../../parts/files";
import { Failure } from "../../parts/Notice";
import { useJson } from "../../parts/useJson";
import { texts } from "../../texts";

interface Problem {
  file: string;
  line: number;
  text: string; // with the remedy
}

interface Answer {
  total: number;
  problems: Problem[];
  next?: string;
}

export function Problems({ uri, where }: { uri: string; where: "main" | "pane" }) {
  const { value, error, reload } = useJson<Answer>(uri);
  if (error) return <Failure error={error} again={reload} />;
  if (!value) return <p class="faint">{texts.pane.loading}</p>;
  if (value.total === 0) return <p class="good-news">{texts.elements.noProblems}</p>;
  return (
    <>
      <p class="faint" role="status">
        {texts.elements.problems(value.total)}
      </p>
      <ul class="element-problems">
        {value.problems.map(({ file, line, text }) => (
          <li key={`${file}:${line} ${text}`}>
            <p>
              <File file={file} line={line} />
            </p>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {value.next && (
        <AddressLink uri={value.next} where={where} class="button">
          {texts.project.next}
        </AddressLink>
      )}
    </>
  );
}

// A file is named from the folder of the elements, the workspace's or the user's. Only the
// workspace's can be opened.
function File({ file, line }: { file: string; line: number }) {
  const [found, setFound] = useState(false);
  const path = file.startsWith(".") ? file : `.lode/elements/${file}`;
  useEffect(() => {
    const abort = new AbortController();
    readResource(fileUri(path), null, abort.signal)
      .then(() => setFound(true))
      .catch(() => setFound(false));
    return () => abort.abort();
  }, [path]);
  const name = line > 0 ? `${file}:${line}` : file;
  return found ? <AddressLink uri={fileUri(path, line)}>{name}</AddressLink> : <strong>{name}</strong>;
}
