import { token } from "../core/credentials";
import { texts } from "../texts";
import "./start.css";

// What an empty backlog says: how to begin.
export function Start() {
  return (
    <section class="start">
      <h2>{texts.backlog.startTitle}</h2>
      <p>{token.value ? texts.backlog.startHere : texts.backlog.startShell}</p>
      <pre>
        <code>lode backlog new 'Serve the board' --label http --priority high</code>
      </pre>
      <p class="faint">{texts.backlog.startWhere}</p>
    </section>
  );
}
