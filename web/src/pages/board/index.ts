import { boardUri } from "../../backlog/types";
import type { PageDefinition } from "../../core/registry";
import { withoutQuery } from "../../core/uri";
import { texts } from "../../texts";

const isBoard = (uri: string) => withoutQuery(uri) === boardUri;

const page: PageDefinition = {
  name: "board",
  rank: 100,
  matches: (_, uri) => isBoard(uri),
  title: () => texts.board.title,
  source: () => null,
  load: () => import("./BoardPage"),
  entry: { text: texts.board.title, uri: boardUri, order: 10, icon: "▦", key: "g b", has: isBoard },
};
export default page;
