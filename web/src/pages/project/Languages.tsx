import { texts } from "../../texts";
import type { Language } from "./summary";

interface Props {
  languages: Language[];
  rest: string; // the section, with what is no language
}

const hues = 8; // as many colours as project.css has

// The shares of the languages as one bar, and what they are as a list.
export function Languages({ languages, rest }: Props) {
  const remarks = rest.split("\n").filter((line) => !/ %\)$/.test(line));
  return (
    <>
      <div class="language-bar" aria-hidden="true">
        {languages
          .filter(({ percent }) => percent >= 0.5)
          .map(({ name, percent }, at) => (
            <span key={name} data-hue={at % hues} style={{ width: `${percent}%` }} />
          ))}
      </div>
      <ul class="languages">
        {languages.map(({ name, percent, files, lines }, at) => (
          <li key={name} title={texts.project.language(files, lines)}>
            <span class="swatch" data-hue={percent >= 0.5 ? at % hues : ""} aria-hidden="true" />
            {name} <span class="faint">{percent.toFixed(1)} %</span>
          </li>
        ))}
      </ul>
      {remarks.length > 0 && (
        <p class="faint small">
          {remarks.map((line) => line.replace(/^- /, "").replace(/([^.])$/, "$1.")).join(" ")}
        </p>
      )}
    </>
  );
}
