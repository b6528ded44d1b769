// A button that opens a list to choose from: of a fixed set, or of what is found as one types. One
// part for states, labels, people and tasks, so that all are handled alike.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { texts } from "../texts";
import { placePopup } from "./popup";
import "./picker.css";

export interface Option {
  value: string;
  text: string;
  hint?: string | undefined;
  icon?: ComponentChildren;
}

interface Props {
  label: string; // what is chosen
  children: ComponentChildren; // what the button shows
  class?: string;
  options: Option[] | ((words: string) => Promise<Option[]>);
  chosen: string[];
  multiple?: boolean; // stays open
  search?: string; // what the field to type into says; without it there is none
  free?: boolean; // what is typed may be chosen too
  choose: (value: string) => void;
}

export function Picker(props: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (refocus: boolean) => {
    setOpen(false);
    if (refocus) button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`picker ${props.class ?? ""}`}
        aria-label={props.label}
        title={props.label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(!isOpen);
        }}
      >
        {props.children}
      </button>
      {isOpen && <Popup {...props} anchor={button.current} close={close} />}
    </>
  );
}

interface PopupProps extends Props {
  anchor: HTMLElement | null;
  close: (refocus: boolean) => void;
}

function Popup({ anchor, close, ...props }: PopupProps) {
  const [words, setWords] = useState("");
  const { options, busy } = useOptions(props, words);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex((each) => props.chosen.includes(each.value)),
    ),
  );
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  usePopup(popup, anchor, close);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at, options]);
  const shown = Math.min(at, options.length - 1);
  const choose = (option: Option | undefined) => {
    if (!option) return;
    if (!props.multiple) close(true);
    props.choose(option.value);
  };
  const keyDown = (event: KeyboardEvent) => {
    // None of these is for the page.
    event.stopPropagation();
    const to = stepOf(event.key, shown, options, props.search !== undefined);
    if (to !== null) setAt(to);
    else if (event.key === "Enter" || (event.key === " " && !props.search)) choose(options[shown]);
    else if (event.key === "Escape") close(true);
    else if (event.key === "Tab") return close(true);
    else return;
    event.preventDefault();
  };
  const active = options[shown] ? `${id}-${shown}` : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the list in it.
    <div
      ref={popup}
      popover="auto"
      class="popup"
      onKeyDown={keyDown}
      onClick={(event) => event.stopPropagation()}
    >
      {props.search !== undefined && (
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={active}
          aria-label={props.label}
          placeholder={props.search}
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value);
            setAt(0);
          }}
        />
      )}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={props.label}
        aria-multiselectable={props.multiple ?? false}
        aria-busy={busy}
        tabIndex={0}
        aria-activedescendant={props.search === undefined ? active : undefined}
      >
        {options.map((option, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus.
          <div
            key={option.value}
            id={`${id}-${i}`}
            role="option"
            class={i === shown ? "option at" : "option"}
            aria-selected={props.chosen.includes(option.value)}
            onPointerMove={() => setAt(i)}
            onClick={() => choose(option)}
          >
            <span class="check" aria-hidden="true" />
            {option.icon}
            <span class="option-text">{option.text}</span>
            {option.hint && <span class="faint">{option.hint}</span>}
          </div>
        ))}
      </div>
      {!busy && options.length === 0 && <p class="faint">{texts.palette.nothing}</p>}
    </div>
  );
}

// Where a key leads in the list; null: nowhere. Letters lead to what begins with them, where no field
// takes them.
function stepOf(key: string, at: number, options: Option[], typing: boolean): number | null {
  const last = options.length - 1;
  if (key === "ArrowDown") return Math.min(last, at + 1);
  if (key === "ArrowUp") return Math.max(0, at - 1);
  if (typing) return null;
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key.length !== 1 || key === " ") return null;
  const begins = ({ text }: Option) => text.toLowerCase().startsWith(key.toLowerCase());
  const next = options.findIndex((option, i) => i > at && begins(option));
  return next >= 0 ? next : Math.max(at, options.findIndex(begins));
}

function useOptions(props: Props, words: string): { options: Option[]; busy: boolean } {
  const { options, free } = props;
  const fixed = Array.isArray(options) ? options : null;
  const [found, setFound] = useState<Option[]>([]);
  const [busy, setBusy] = useState(fixed === null);
  const asked = useRef(words);
  useEffect(() => {
    if (Array.isArray(options)) return;
    let isOver = false;
    asked.current = words;
    setBusy(true);
    const timer = setTimeout(
      async () => {
        const all = await options(words.trim()).catch(() => []);
        if (isOver) return;
        setFound(all);
        setBusy(false);
      },
      words ? 100 : 0,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [words]);
  const typed = words.trim();
  const fits = ({ text, hint = "" }: Option) => `${text} ${hint}`.toLowerCase().includes(typed.toLowerCase());
  // What was found for other words is no answer to these.
  const all = fixed ? fixed.filter(fits) : busy || asked.current !== words ? found.filter(fits) : found;
  const isNew = free && typed !== "" && !all.some(({ value }) => value === typed);
  return { options: isNew ? [...all, { value: typed, text: typed, hint: texts.picker.new }] : all, busy };
}

// Shown above everything, beside its button, wherever that is moved (a phone's keyboard makes the
// window smaller); closed by a click elsewhere, and when its button is scrolled out of the window.
function usePopup(
  popup: { current: HTMLDivElement | null },
  anchor: HTMLElement | null,
  close: (refocus: boolean) => void,
): void {
  useLayoutEffect(() => {
    const element = popup.current;
    if (!element || !anchor) return;
    element.showPopover();
    placePopup(element, anchor);
    element.querySelector<HTMLElement>("input, [role=listbox]")?.focus({ preventScroll: true });
    const toggled = (event: ToggleEvent) => event.newState === "closed" && close(false);
    const moved = (event: Event) => {
      if (event.target instanceof Node && element.contains(event.target)) return;
      const { top, bottom } = anchor.getBoundingClientRect();
      if (!anchor.isConnected || bottom < 0 || top > window.innerHeight) close(false);
      else placePopup(element, anchor);
    };
    const grown = new ResizeObserver(() => placePopup(element, anchor));
    grown.observe(element);
    element.addEventListener("toggle", toggled);
    window.addEventListener("scroll", moved, true);
    window.addEventListener("resize", moved);
    return () => {
      grown.disconnect();
      element.removeEventListener("toggle", toggled);
      window.removeEventListener("scroll", moved, true);
      window.removeEventListener("resize", moved);
    };
  }, []);
}
