// The files of a project by a glob, page after page.
import { useEffect, useState } from "preact/hooks";
import { change } from "../../core/location";
import { withQuery } from "../../core/uri";
import { AddressLink } from "../../parts/AddressLink";
import { fileUri, sizeText } from "../../parts/files";
import { Failure } from "../../parts/Notice";
import { useJson } from "../../parts/useJson";
import { texts } from "../../texts";

interface Found {
  files: { path: string; size?: number; language?: string }[];
  total: number;
  next?: string;
}

interface Props {
  uri: string;
  path: string;
  where: "main" | "pane";
}

export function Files({ uri, path, where }: Props) {
  const { value, error, reload } = useJson<Found>(uri);
  const pattern = new URLSearchParams(uri.split("?")[1] ?? "").get("pattern") ?? "";
  const [typed, setTyped] = useState(pattern);
  useEffect(() => setTyped(pattern), [pattern]);
  return (
    <>
      <form
        class="pattern"
        onSubmit={(event) => {
          event.preventDefault();
          change(where, withQuery(uri, { pattern: typed.trim(), cursor: undefined }));
        }}
      >
        <label>
          {texts.project.pattern}{" "}
          <input value={typed} placeholder="*.ts" onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <button type="submit">{texts.project.show}</button>
      </form>
      {error && <Failure error={error} again={reload} />}
      {value && (
        <>
          <p class="faint" role="status">
            {texts.project.total(value.total)}
          </p>
          <ul class="file-list">
            {value.files.map(({ path: name, size, language }) => (
              <li key={name}>
                <AddressLink uri={fileUri(path ? `${path}/${name}` : name)}>{name}</AddressLink>
                <span class="faint">{language}</span>
                <span class="faint number">{size === undefined ? "" : sizeText(size)}</span>
              </li>
            ))}
          </ul>
          {value.next && (
            <AddressLink uri={value.next} where={where} class="button">
              {texts.project.next}
            </AddressLink>
          )}
        </>
      )}
    </>
  );
}
