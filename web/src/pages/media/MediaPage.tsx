// What the browser shows by itself: PDF, video, sound.
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { nameOf } from "../../core/uri";
import { sizeText } from "../../parts/files";
import { SaveButton } from "../../parts/SaveButton";
import { useBlobUrl } from "../../parts/useBlob";
import { texts } from "../../texts";
import "../../parts/rows.css";
import "./media.css";

export default function MediaPage({ uri }: PageProps) {
  const resource = useResource(uri).resource.value;
  const url = useBlobUrl(resource, resource?.type ?? "");
  if (!resource) return null;
  const name = nameOf(resource.path ?? uri);
  return (
    <>
      <p class="media-bar">
        <span class="faint">
          {resource.type}, {sizeText(resource.size)}
        </span>
        <SaveButton resource={resource} />
      </p>
      {url && <Player url={url} type={resource.type} name={name} />}
    </>
  );
}

function Player({ url, type, name }: { url: string; type: string; name: string }) {
  if (type === "application/pdf") return <iframe class="fills pdf" src={url} title={name} />;
  // biome-ignore-start lint/a11y/useMediaCaption: there is a file, and nobody wrote captions for it.
  if (type.startsWith("audio/")) return <audio controls src={url} aria-label={name} />;
  return (
    <video class="video" controls src={url} aria-label={name}>
      {texts.file.noPlayer}
    </video>
  );
  // biome-ignore-end lint/a11y/useMediaCaption: see above.
}
