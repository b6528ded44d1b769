// Notices at the lower edge, and what screen readers alone are told.
import { announcement, dismiss, hideLater, holdNote, type Note, notes } from "../core/announce";
import { texts } from "../texts";

export function Notes() {
  return (
    <>
      <div class="unseen" aria-live="polite">
        {announcement.value}
      </div>
      <section class="notes" aria-label={texts.shell.notices} aria-live="polite">
        {notes.value.map((note) => (
          <NoteView key={note.id} note={note} />
        ))}
      </section>
    </>
  );
}

function NoteView({ note }: { note: Note }) {
  const hold = () => holdNote(note.id);
  const letGo = () => hideLater(note);
  const run = () => {
    dismiss(note.id);
    note.action?.run();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays longer while the pointer is over it.
    <div
      class={`note ${note.kind}`}
      onMouseEnter={hold}
      onMouseLeave={letGo}
      onFocusIn={hold}
      onFocusOut={letGo}
    >
      <p>{note.text}</p>
      {note.action && (
        <button type="button" onClick={run}>
          {note.action.text}
        </button>
      )}
      <button
        type="button"
        class="quiet icon"
        aria-label={texts.shell.dismiss}
        onClick={() => dismiss(note.id)}
      >
        ✕
      </button>
    </div>
  );
}
