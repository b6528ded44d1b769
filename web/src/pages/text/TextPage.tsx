// Whatever has no page of its own: text as text, bytes as their beginning.
import type { Resource } from "../../core/api";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { nameOf } from "../../core/uri";
import { hexRows } from "../../parts/bytes";
import { rangeOf } from "../../parts/code/lines";
import { sizeText } from "../../parts/files";
import { lazyPart } from "../../parts/lazy";
import { SaveButton } from "../../parts/SaveButton";
import { useBytes } from "../../parts/useBlob";
import { useWorkspacePath } from "../../parts/useWorkspacePath";
import { texts } from "../../texts";
import "./text.css";

const SourceView = lazyPart(() =>
  import("../../parts/source/SourceView").then((module) => module.SourceView),
);
const longest = 100_000; // characters that are shown as one piece
const shownBytes = 512;

export default function TextPage({ uri, where, fragment }: PageProps) {
  const resource = useResource(uri).resource.value;
  const path = useWorkspacePath(uri, resource);
  if (!resource) return null;
  if (resource.encoding === "base64") return <Bytes resource={resource} />;
  const { content } = resource;
  if (content === "") return <p class="faint">{texts.file.empty}</p>;
  // Prose is read in lines that fit the window; with a line in the address, or when it is long, in
  // lines that have numbers.
  if (content.length <= longest && !rangeOf(fragment)) return <pre class="text">{content}</pre>;
  return (
    <SourceView
      uri={uri}
      where={where}
      fragment={fragment}
      text={content}
      name={nameOf(resource.path ?? uri)}
      path={path}
    />
  );
}

function Bytes({ resource }: { resource: Resource }) {
  const bytes = useBytes(resource);
  return (
    <div class="bytes">
      <p>
        {texts.file.binary(sizeText(resource.size), resource.type)} <SaveButton resource={resource} />
      </p>
      <section class="bytes-box" aria-label={texts.file.firstBytes} {...{ tabIndex: 0 }}>
        <table>
          <tbody>
            {hexRows(bytes, shownBytes).map(({ offset, hex, text }) => (
              <tr key={offset}>
                <th scope="row">{offset}</th>
                <td>{hex}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {bytes.length > shownBytes && <p class="faint">{texts.file.moreBytes(bytes.length - shownBytes)}</p>}
    </div>
  );
}
