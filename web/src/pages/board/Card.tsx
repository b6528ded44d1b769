import { Assignee, CriteriaCount, DueText, Labels, PriorityIcon, TypeMark } from "../../backlog/parts";
import { StatusPicker } from "../../backlog/StatusPicker";
import { isOver, type TaskRow, taskUri } from "../../backlog/types";
import { AddressLink } from "../../parts/AddressLink";
import { CopyButton } from "../../parts/CopyButton";
import { texts } from "../../texts";

interface Props {
  row: TaskRow;
  isDragged: boolean;
  setActive: (id: string) => void;
}

export function Card({ row, isDragged, setActive }: Props) {
  return (
    <article
      class="card"
      data-id={row.id}
      data-dragged={isDragged}
      aria-label={row.id}
      onFocusIn={() => setActive(row.id)}
    >
      <div class="card-head">
        {row.priority && <PriorityIcon priority={row.priority} />}
        <span class="mono">{row.id}</span>
        <TypeMark type={row.type} />
        <span class="card-tools">
          <CopyButton text={taskUri(row.id)} label={texts.pane.copyUri} small />
          <StatusPicker row={row} bare />
        </span>
      </div>
      <h3>
        <AddressLink uri={taskUri(row.id)}>{row.title}</AddressLink>
      </h3>
      <div class="card-foot">
        <Labels labels={row.labels} most={2} />
        <span class="card-facts">
          <CriteriaCount criteria={row.criteria} />
          <DueText due={row.due} over={isOver(row.status)} />
          <Assignee name={row.assignee} />
        </span>
      </div>
    </article>
  );
}
