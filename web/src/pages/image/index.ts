import type { PageDefinition } from "../../core/registry";

const page: PageDefinition = {
  name: "image",
  rank: 30,
  shows: ({ type }) =>
    /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/.test(type),
  load: () => import("./ImagePage"),
};
export default page;
