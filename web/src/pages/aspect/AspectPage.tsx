// Symbols, imports, exports, references and problems of a file as tables with links to the places;
// its tree and what a query found as JSON.
import type { ComponentChildren } from "preact";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { withQuery } from "../../core/uri";
import { AddressLink } from "../../parts/AddressLink";
import { aspectUri, fileUri } from "../../parts/files";
import { JsonTree } from "../../parts/json/JsonTree";
import type { Json } from "../../parts/json/tree";
import { Markdown } from "../../parts/Markdown";
import { Failure } from "../../parts/Notice";
import { type Import, ImportList } from "../../parts/source/Imports";
import { ReferenceList } from "../../parts/source/ReferencesOf";
import { type FileSymbol, lineAndText, outlineRows, type References } from "../../parts/source/symbols";
import { useJson } from "../../parts/useJson";
import { texts } from "../../texts";
import "../../parts/source/source.css";
import "./aspect.css";

interface Answer extends Partial<References> {
  symbols?: FileSymbol[];
  imports?: Import[];
  exports?: Record<string, string[]>;
  passed_on?: Import[];
  problems?: { at: string; problem: string; line: string }[];
  unsupported?: string;
}

export default function AspectPage({ uri, address, where }: PageProps) {
  const aspect = address.segments.at(-1) ?? "";
  const path = address.segments.slice(0, -1).join("/");
  // The small form is for programs that count tokens.
  const source = aspect === "symbols" ? withQuery(uri, { compact: "false" }) : uri;
  return (
    <>
      <nav class="aspects" aria-label={texts.aspect.others}>
        <AddressLink uri={fileUri(path)} where={where}>
          {path}
        </AddressLink>
        {["symbols", "structure", "imports", "exports", "diagnostics", "ast"].map((name) => (
          <AddressLink
            key={name}
            uri={aspectUri(path, name)}
            where={where}
            current={name === aspect ? "page" : undefined}
          >
            {name}
          </AddressLink>
        ))}
      </nav>
      {aspect === "structure" ? (
        <Structure uri={uri} path={path} />
      ) : (
        <Known uri={source} path={path} aspect={aspect} />
      )}
    </>
  );
}

function Structure({ uri, path }: { uri: string; path: string }) {
  const { resource, error, reload } = useResource(uri);
  if (error.value) return <Failure error={error.value} again={reload} />;
  return <Markdown text={resource.value?.content ?? ""} base={fileUri(path)} />;
}

function Known({ uri, path, aspect }: { uri: string; path: string; aspect: string }) {
  const { value, error, reload } = useJson<Answer>(uri);
  if (error) return <Failure error={error} again={reload} />;
  if (!value) return <p class="faint">{texts.pane.loading}</p>;
  if (value.unsupported) return <p class="faint">{value.unsupported}</p>;
  switch (aspect) {
    case "symbols":
      return <Symbols symbols={Array.isArray(value.symbols) ? value.symbols : []} path={path} />;
    case "imports":
      return <ImportList imports={value.imports ?? []} />;
    case "exports":
      return <Exports exports={value.exports ?? {}} passedOn={value.passed_on ?? []} path={path} />;
    case "references":
      return <ReferenceList found={value as References} />;
    case "diagnostics":
      return <Problems problems={value.problems ?? []} path={path} />;
    default:
      return <JsonTree value={value as unknown as Json} label={aspect} />;
  }
}

function Place({ path, line, children }: { path: string; line: number; children: ComponentChildren }) {
  return <AddressLink uri={fileUri(path, line)}>{children}</AddressLink>;
}

function Symbols({ symbols, path }: { symbols: FileSymbol[]; path: string }) {
  const rows = outlineRows(symbols);
  if (rows.length === 0) return <p class="faint">{texts.aspect.nothing}</p>;
  return (
    <table class="aspect">
      <thead>
        <tr>
          <th scope="col">{texts.aspect.name}</th>
          <th scope="col">{texts.aspect.kind}</th>
          <th scope="col">{texts.aspect.lines}</th>
          <th scope="col">{texts.aspect.signature}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ symbol, level, line }) => (
          <tr key={`${line} ${symbol.name}`}>
            <th scope="row" data-level={Math.min(level, 5)}>
              <Place path={path} line={line}>
                {symbol.name}
              </Place>
            </th>
            <td>
              {symbol.visibility && symbol.visibility !== "public" && `${symbol.visibility} `}
              {symbol.kind}
            </td>
            <td class="number">{symbol.lines}</td>
            <td>
              <code>{symbol.signature}</code>
              {symbol.doc && <p class="faint">{symbol.doc}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ExportsProps {
  exports: Record<string, string[]>;
  passedOn: Import[];
  path: string;
}

function Exports({ exports, passedOn, path }: ExportsProps) {
  const kinds = Object.entries(exports);
  return (
    <>
      {kinds.length === 0 && passedOn.length === 0 && <p class="faint">{texts.aspect.nothing}</p>}
      {kinds.map(([kind, names]) => (
        <section key={kind}>
          <h2>{kind}</h2>
          <ul class="chips">
            {names.map((entry) => {
              const { line, text } = lineAndText(entry);
              return (
                <li key={entry}>
                  <Place path={path} line={line}>
                    {text}
                  </Place>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      {passedOn.length > 0 && (
        <section>
          <h2>{texts.aspect.passedOn}</h2>
          <ImportList imports={passedOn} />
        </section>
      )}
    </>
  );
}

function Problems({ problems, path }: { problems: NonNullable<Answer["problems"]>; path: string }) {
  if (problems.length === 0) return <p class="good-news">{texts.aspect.noProblems}</p>;
  return (
    <ul class="problems">
      {problems.map(({ at, problem, line }) => (
        <li key={at}>
          <Place path={path} line={Number.parseInt(at, 10)}>
            {texts.aspect.problem(at, problem)}
          </Place>
          <pre>{line}</pre>
        </li>
      ))}
    </ul>
  );
}
