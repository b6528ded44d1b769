import { useState } from "preact/hooks";
import { History } from "../../backlog/History";
import { texts } from "../../texts";

// Who changed what; read when it is unfolded.
export function HistoryPart({ uri, level }: { uri: string; level: number }) {
  const [isOpen, setOpen] = useState(false);
  const Heading = `h${level}` as "h2";
  return (
    <details class="part history-part" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Heading>{texts.task.history}</Heading>
      </summary>
      {isOpen && <History uri={uri} />}
    </details>
  );
}
