import type { PageDefinition } from "../../core/registry";

const page: PageDefinition = {
  name: "csv",
  rank: 30,
  shows: ({ type, encoding, ext }) =>
    encoding === "utf-8" &&
    (type === "text/csv" || type === "text/tab-separated-values" || ext === "csv" || ext === "tsv"),
  load: () => import("./CsvPage"),
};
export default page;
