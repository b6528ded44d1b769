import { useEffect, useRef } from "preact/hooks";
import { choose, settings } from "../core/settings";
import { texts } from "../texts";

const least = 25;
const most = 75;

// Between the panes; moved with the mouse, a finger or the arrow keys.
export function Divider() {
  const dragging = useRef(false);
  const width = settings.value.paneWidth;
  const set = (percent: number) =>
    choose({ paneWidth: Math.round(Math.min(most, Math.max(least, percent))) });
  useEffect(() => document.documentElement.style.setProperty("--pane-width", `${width}%`), [width]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved has no element of its own.
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-label={texts.pane.resize}
      aria-orientation="vertical"
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={width}
      onPointerDown={(event) => {
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={(event) => dragging.current && set(100 - (event.clientX / window.innerWidth) * 100)}
      onPointerUp={() => {
        dragging.current = false;
      }}
      onPointerCancel={() => {
        dragging.current = false;
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") set(width + 5);
        else if (event.key === "ArrowRight") set(width - 5);
        else if (event.key === "Home") set(most);
        else if (event.key === "End") set(least);
        else return;
        event.preventDefault();
      }}
    />
  );
}
