// Fields of a task to choose: of a new one, and of one that is there.
import { Picker } from "../parts/Picker";
import { texts } from "../texts";
import { toggled } from "./filter";
import { PriorityIcon } from "./parts";
import { findTasks, plainOptions } from "./suggest";
import { type Priority, priorities } from "./types";

interface Props<T> {
  value: T;
  set: (value: T) => void;
}

export function PriorityField({ value, set }: Props<string>) {
  const name = texts.backlog.priority[value as Priority] ?? value;
  return (
    <Picker
      class="field"
      label={texts.backlog.priorityOf(name)}
      options={priorities.map((priority) => ({
        value: priority,
        text: texts.backlog.priority[priority],
        icon: <PriorityIcon priority={priority} named={false} />,
      }))}
      chosen={[value]}
      choose={set}
    >
      <PriorityIcon priority={value as Priority} named={false} /> {name}
    </Picker>
  );
}

// Whoever is known, oneself, or any other name.
export function PersonField({ value, set }: Props<string>) {
  const find = async (words: string) => {
    const found = await plainOptions("assignee")(words);
    return words ? found : [{ value: "", text: texts.backlog.nobody }, ...found];
  };
  return (
    <Picker
      class="field"
      label={`${texts.backlog.assignee}: ${value || texts.backlog.nobody}`}
      options={find}
      chosen={[value]}
      search={texts.backlog.findOrName}
      free
      choose={set}
    >
      {value || <span class="faint">{texts.backlog.nobody}</span>}
    </Picker>
  );
}

export function LabelsField({ value, set }: Props<string[]>) {
  const find = async (words: string) => {
    const found = await plainOptions("label")(words);
    // Those that it has stand first, so that they can be taken away.
    const own = value
      .filter((label) => label.includes(words))
      .map((label) => ({ value: label, text: label }));
    return [...own, ...found.filter((option) => !value.includes(option.value))];
  };
  return (
    <Picker
      class="field"
      label={texts.backlog.labelsOf(value.join(" ") || texts.backlog.noLabels)}
      options={find}
      chosen={value}
      multiple
      search={texts.backlog.findOrName}
      free
      choose={(label) => set(toggled(value, label))}
    >
      {value.length === 0 && <span class="faint">{texts.backlog.noLabels}</span>}
      {value.map((label) => (
        <span key={label} class="label">
          {`${label} `}
        </span>
      ))}
    </Picker>
  );
}

interface TaskFieldProps extends Props<string> {
  name: string;
  none: string;
}

export function TaskField({ name, none, value, set }: TaskFieldProps) {
  const find = async (words: string) => {
    const found = await findTasks(words);
    return words ? found : [{ value: "", text: none }, ...found];
  };
  return (
    <Picker
      class="field"
      label={`${name}: ${value || none}`}
      options={find}
      chosen={[value]}
      search={texts.backlog.findTask}
      choose={set}
    >
      {value || <span class="faint">{none}</span>}
    </Picker>
  );
}
