import { token } from "../core/credentials";
import { Picker } from "../parts/Picker";
import { texts } from "../texts";
import { move } from "./move";
import { StatusIcon, StatusText } from "./parts";
import { type Status, statuses, type TaskRow } from "./types";

export const statusOptions = statuses.map((status) => ({
  value: status,
  text: texts.backlog.status[status],
  icon: <StatusIcon status={status} />,
}));

interface Props {
  row: TaskRow;
  bare?: boolean; // the icon alone
}

// The status of a task, which can be changed by whoever may write.
export function StatusPicker({ row, bare = false }: Props) {
  if (!row.status) return null;
  const shown = bare ? <StatusIcon status={row.status} /> : <StatusText status={row.status} />;
  const name = texts.backlog.status[row.status];
  if (!token.value || row.malformed) {
    return bare ? (
      <span title={name}>
        {shown}
        <span class="unseen">{name}</span>
      </span>
    ) : (
      shown
    );
  }
  return (
    <Picker
      class={bare ? "quiet icon status-picker" : "quiet status-picker"}
      label={texts.backlog.statusOf(row.id, name)}
      options={statusOptions}
      chosen={[row.status]}
      choose={(value) => void move(row, value as Status)}
    >
      {shown}
    </Picker>
  );
}
