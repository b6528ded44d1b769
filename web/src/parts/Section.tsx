import type { ComponentChildren } from "preact";

interface Props {
  title: string;
  note?: ComponentChildren; // beside it
  level: number; // of the heading
  class?: string;
  children: ComponentChildren;
}

// A part of a page with its heading, of the level that the pane asks for. No landmark: of these a
// page has few.
export function Section({ title, note, level, class: name, children }: Props) {
  const Heading = `h${Math.min(6, level)}` as "h2";
  return (
    <section class={name ? `part ${name}` : "part"}>
      <div class="part-head">
        <Heading>{title}</Heading>
        {note && <span class="faint">{note}</span>}
      </div>
      {children}
    </section>
  );
}
