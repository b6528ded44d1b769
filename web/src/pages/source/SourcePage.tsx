// Code: a file, or with resource://file/PATH/source a symbol or some lines of it.
import { useMemo } from "preact/hooks";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { nameOf, withoutQuery } from "../../core/uri";
import { AddressLink } from "../../parts/AddressLink";
import { languageOfFile, languageOfType } from "../../parts/code/languages";
import { aspectUri, fileUri } from "../../parts/files";
import { Failure } from "../../parts/Notice";
import { SourceView } from "../../parts/source/SourceView";
import { type FileSymbol, outlineRows } from "../../parts/source/symbols";
import { useJson } from "../../parts/useJson";
import { useWorkspacePath } from "../../parts/useWorkspacePath";
import { texts } from "../../texts";
import { firstLine } from "./firstLine";

export default function SourcePage(props: PageProps) {
  return props.address.scheme === "resource" ? <PartOfFile {...props} /> : <WholeFile {...props} />;
}

function WholeFile({ uri, where, fragment }: PageProps) {
  const resource = useResource(uri).resource.value;
  const path = useWorkspacePath(uri, resource);
  if (!resource) return null;
  const name = nameOf(resource.path ?? uri);
  return (
    <SourceView
      uri={uri}
      where={where}
      fragment={fragment}
      text={resource.content}
      name={name}
      language={languageOfFile(name) || languageOfType(resource.type)}
      path={path}
    />
  );
}

function PartOfFile({ uri, address, where, fragment }: PageProps) {
  const { resource, error, reload } = useResource(uri);
  const path = address.segments.slice(0, -1).join("/");
  const symbol = address.query.get("symbol");
  const lines = address.query.get("lines");
  const symbols = useJson<{ symbols: FileSymbol[] }>(
    symbol ? aspectUri(path, "symbols", "compact=false") : null,
  );
  const first = useMemo(() => {
    const known = symbols.value?.symbols;
    return firstLine(lines, symbol, Array.isArray(known) ? outlineRows(known) : []);
  }, [lines, symbol, symbols.value]);
  if (error.value) return <Failure error={error.value} again={reload} />;
  if (!resource.value) return <p class="faint">{texts.pane.loading}</p>;
  const whole = fileUri(path);
  return (
    <>
      <p>
        <AddressLink uri={first > 1 ? `${whole}#L${first}` : whole} where={where}>
          {texts.source.whole(path)}
        </AddressLink>
      </p>
      <SourceView
        key={withoutQuery(uri)}
        uri={uri}
        where={where}
        fragment={fragment}
        text={resource.value.content}
        name={path}
        path={symbol || lines ? null : path}
        first={first}
        lineUri={whole}
      />
    </>
  );
}
