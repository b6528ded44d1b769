// Calls `run` once, when an element comes near the window. Answers how to stop waiting.
export function whenNear(element: Element, distance: number, run: () => void): () => void {
  // The window's margin does not reach into panes that scroll by themselves; scrollMargin does.
  const options = { rootMargin: `${distance}px`, scrollMargin: `${distance}px` };
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    run();
  }, options as IntersectionObserverInit);
  observer.observe(element);
  return () => observer.disconnect();
}
