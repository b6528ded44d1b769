// What can be chosen: labels and people that the backlog knows, and tasks by their words.
import { callMethod, readJson } from "../core/api";
import type { Option } from "../parts/Picker";
import { everything, listOf } from "./filter";
import type { TaskListPage } from "./types";

const listTemplate = "mcp://backlog/tasks{?";
let template: Promise<string> | null = null;

// The list's template as the server has it: its parameters may have become more.
function templateOfList(): Promise<string> {
  template ??= callMethod<{ resourceTemplates: { uriTemplate: string }[] }>("resources/templates/list", {})
    .then(({ resourceTemplates }) => resourceTemplates.map((each) => each.uriTemplate))
    .then((all) => all.find((each) => each.startsWith(listTemplate)) ?? listTemplate)
    .catch((error) => {
      template = null;
      throw error;
    });
  return template;
}

export async function suggest(name: "label" | "assignee", begins: string): Promise<string[]> {
  const ref = { type: "ref/resource", uri: await templateOfList() };
  const { completion } = await callMethod<{ completion: { values: string[] } }>("completion/complete", {
    ref,
    argument: { name, value: begins },
  });
  return completion.values.filter((value) => value !== "none");
}

export const plainOptions =
  (name: "label" | "assignee") =>
  async (words: string): Promise<Option[]> =>
    (await suggest(name, words)).map((value) => ({ value, text: value }));

const mostTasks = 20;

// Without words those that were changed last: one of them is often meant.
export async function findTasks(words: string): Promise<Option[]> {
  const filter = words ? { ...everything, q: words } : { ...everything, sort: "updated" as const };
  const { tasks } = await readJson<TaskListPage>(listOf(filter, mostTasks));
  return tasks.map((task) => ({ value: task.id, text: task.title, hint: task.id }));
}
