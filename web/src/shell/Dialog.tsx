import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../texts";

interface Props {
  label: string;
  close: () => void;
  class?: string;
  children: ComponentChildren;
}

// A modal dialog: the browser keeps the focus in it and gives it back, Escape closes it.
export function Dialog({ label, close, class: name, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog
      ref={element}
      class={name}
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === element.current && element.current?.close()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="dialog-body">
        {children}
        <button
          type="button"
          class="quiet dialog-close"
          aria-label={texts.shell.close}
          onClick={() => element.current?.close()}
        >
          ✕
        </button>
      </div>
    </dialog>
  );
}
