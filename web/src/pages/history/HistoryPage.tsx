// Who changed what of a task, from git.
import { History } from "../../backlog/History";
import type { PageProps } from "../../core/registry";

export default function HistoryPage({ uri }: PageProps) {
  return <History uri={uri} />;
}
