const gap = 4; // px

// Below the anchor, or above it where there is more room; never out of the window.
export function placePopup(popup: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { innerWidth: width, innerHeight: height } = window;
  const below = height - at.bottom - gap * 2;
  const above = at.top - gap * 2;
  const isBelow = popup.scrollHeight <= below || below >= above;
  popup.style.maxHeight = `${Math.floor(isBelow ? below : above)}px`;
  popup.style.top = isBelow ? `${at.bottom + gap}px` : "auto";
  popup.style.bottom = isBelow ? "auto" : `${height - at.top + gap}px`;
  popup.style.left = `${Math.max(gap, Math.min(at.left, width - popup.offsetWidth - gap))}px`;
}
