// Dragging a card to another column, with a mouse, a pen or a finger. A finger has to rest on the card
// first: moving at once scrolls.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Status, statuses, type TaskRow } from "../../backlog/types";
import { openLists } from "../../backlog/useTaskPages";

export interface Drag {
  dragging: string | null; // the id of the card
  over: Status | null; // where it would be dropped
  begin: (event: PointerEvent) => void;
}

const slack = 6; // px that a mouse may move and still click
const rest = 350; // ms
const edge = 48; // px at which the board scrolls

interface Held {
  card: HTMLElement;
  id: string;
  pointer: number;
  x: number; // where it began
  y: number;
  offsetX: number; // within the card
  offsetY: number;
  ghost: HTMLElement | null; // null: it may still be a click
  stop: () => void;
}

export function useDrag(
  board: RefObject<HTMLElement | null>,
  drop: ((row: TaskRow, status: Status) => void) | null,
): Drag {
  const [dragging, setDragging] = useState<string | null>(null);
  const [over, setOver] = useState<Status | null>(null);
  const held = useRef<Held | null>(null);

  const end = () => {
    held.current?.stop();
    held.current?.ghost?.remove();
    held.current = null;
    setDragging(null);
    setOver(null);
  };
  useEffect(() => end, []);

  const lift = () => {
    const own = held.current;
    if (!own || own.ghost) return;
    own.ghost = ghostOf(own.card);
    setDragging(own.id);
    // What was being selected, or about to be dragged by the browser, is not meant.
    getSelection()?.removeAllRanges();
    follow(own, own.x, own.y);
  };

  const moved = (event: PointerEvent) => {
    const own = held.current;
    if (!own || event.pointerId !== own.pointer) return;
    const far = Math.hypot(event.clientX - own.x, event.clientY - own.y) > slack;
    if (!own.ghost) {
      if (!far) return;
      if (event.pointerType === "touch") return end();
      lift();
    }
    follow(own, event.clientX, event.clientY);
    scrollAtEdge(board.current, event.clientX);
    setOver(columnAt(event.clientX, event.clientY));
  };

  const released = (event: PointerEvent) => {
    const own = held.current;
    if (!own || event.pointerId !== own.pointer) return;
    if (own.ghost) {
      swallowClick();
      const status = columnAt(event.clientX, event.clientY);
      const row = rowOf(own.id);
      if (status && row && row.status !== status) drop?.(row, status);
    }
    end();
  };

  const begin = (event: PointerEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    const card = target?.closest<HTMLElement>("[data-id]");
    if (!drop || !card || event.button !== 0 || !event.isPrimary || target?.closest("button, [popover]"))
      return;
    const box = card.getBoundingClientRect();
    const timer = event.pointerType === "touch" ? setTimeout(lift, rest) : undefined;
    const key = (pressed: KeyboardEvent) => {
      if (pressed.key !== "Escape" || !held.current?.ghost) return;
      pressed.preventDefault();
      pressed.stopPropagation();
      end();
    };
    // Once a finger has lifted the card, its moves must not scroll.
    const still = (touch: TouchEvent) => held.current?.ghost && touch.cancelable && touch.preventDefault();
    const listeners = new AbortController();
    const options = { signal: listeners.signal };
    window.addEventListener("pointermove", moved, options);
    window.addEventListener("pointerup", released, options);
    window.addEventListener("pointercancel", end, options);
    window.addEventListener("keydown", key, { ...options, capture: true });
    window.addEventListener("touchmove", still, { ...options, passive: false });
    held.current = {
      card,
      id: card.dataset.id ?? "",
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      offsetX: event.clientX - box.left,
      offsetY: event.clientY - box.top,
      ghost: null,
      stop: () => {
        clearTimeout(timer);
        listeners.abort();
      },
    };
  };
  return { dragging, over, begin };
}

function rowOf(id: string): TaskRow | undefined {
  for (const list of openLists()) {
    const row = list.row(list.indexOf(id));
    if (row) return row;
  }
  return undefined;
}

// A picture of the card that follows the pointer. It is none of the page's own elements, so it says
// nothing to screen readers, and holds no second element of any id.
function ghostOf(card: HTMLElement): HTMLElement {
  const ghost = card.cloneNode(true) as HTMLElement;
  ghost.removeAttribute("data-id");
  ghost.setAttribute("aria-hidden", "true");
  ghost.inert = true;
  ghost.classList.add("ghost");
  ghost.style.width = `${card.offsetWidth}px`;
  ghost.style.height = `${card.offsetHeight}px`;
  document.body.append(ghost);
  return ghost;
}

function follow(own: Held, x: number, y: number): void {
  if (own.ghost)
    own.ghost.style.transform = `translate(${x - own.offsetX}px, ${y - own.offsetY}px) rotate(1.5deg)`;
}

function columnAt(x: number, y: number): Status | null {
  const found = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-status]")?.dataset.status;
  return statuses.find((status) => status === found) ?? null;
}

function scrollAtEdge(board: HTMLElement | null, x: number): void {
  const box = board?.getBoundingClientRect();
  if (!board || !box) return;
  if (x < box.left + edge) board.scrollLeft -= edge / 2;
  else if (x > box.right - edge) board.scrollLeft += edge / 2;
}

// Letting go of a card over its link is no click.
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
}
