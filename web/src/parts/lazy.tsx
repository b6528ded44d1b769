import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../texts";

// A component whose code is loaded when it is first shown.
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [, setCount] = useState(0);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load()
        .then((component) => {
          loaded = component;
          setCount((count) => count + 1);
        })
        .catch(() => setFailed(true));
    }, []);
    const Component = loaded;
    if (Component) return <Component {...props} />;
    return <p class="faint">{failed ? texts.pane.failed : texts.pane.loading}</p>;
  };
}
