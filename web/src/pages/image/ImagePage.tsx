// An image on a checkered ground, as large as fits or as it is. SVG is drawn as an image too, in
// which no script runs; its text is the other view.
import { useState } from "preact/hooks";
import type { Resource } from "../../core/api";
import type { PageProps } from "../../core/registry";
import { useResource } from "../../core/resource";
import { nameOf } from "../../core/uri";
import { sizeText } from "../../parts/files";
import { SaveButton } from "../../parts/SaveButton";
import { useBlobUrl } from "../../parts/useBlob";
import { Views } from "../../parts/Views";
import { texts } from "../../texts";
import "../../parts/rows.css";
import "./image.css";

export default function ImagePage({ uri, where, fragment }: PageProps) {
  const resource = useResource(uri).resource.value;
  if (!resource) return null;
  if (resource.encoding === "base64") return <Picture resource={resource} />;
  return (
    <Views uri={uri} where={where} fragment={fragment} resource={resource} rendered={texts.image.picture}>
      <Picture resource={resource} />
    </Views>
  );
}

function Picture({ resource }: { resource: Resource }) {
  const url = useBlobUrl(resource, resource.type);
  const [actual, setActual] = useState(false);
  const [size, setSize] = useState("");
  const [broken, setBroken] = useState(false);
  return (
    <>
      <div class="image-bar">
        <span class="faint">
          {size && `${size}, `}
          {sizeText(resource.size)}
        </span>
        <button type="button" aria-pressed={actual} onClick={() => setActual(!actual)}>
          {texts.image.actual}
        </button>
        <SaveButton resource={resource} />
      </div>
      {broken && <p class="notice">{texts.image.broken}</p>}
      <section class="fills picture" data-actual={actual} aria-label={texts.image.picture}>
        {url && (
          <img
            src={url}
            alt={nameOf(resource.path ?? resource.uri)}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              setBroken(false);
              setSize(naturalWidth > 0 ? `${naturalWidth} × ${naturalHeight}` : "");
            }}
            onError={() => setBroken(true)}
          />
        )}
      </section>
    </>
  );
}
