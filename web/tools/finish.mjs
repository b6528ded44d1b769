// The second part of the build: the frame for diagrams (dist/frame/). A sandboxed frame has no
// origin of its own, from which modules could be read, so that its script is one classic file.
import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const folder = fileURLToPath(new URL("..", import.meta.url));

await build({
  root: folder,
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  build: {
    target: "es2023",
    outDir: "dist/frame",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 8192,
    rolldownOptions: {
      input: `${folder}frame/mermaid.ts`,
      // A classic script knows no import.meta; the helper that asks for it has nothing to load here.
      transform: { define: { "import.meta": "{}" } },
      output: { format: "iife", codeSplitting: false, entryFileNames: "mermaid.js" },
    },
  },
});
await copyFile(`${folder}frame/mermaid.html`, `${folder}dist/frame/mermaid.html`);
