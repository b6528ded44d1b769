import { defineConfig, type Plugin } from "vite";

// A running `lode serve --http` that the development server passes requests on to.
const lode = process.env.LODE_HTTP ?? "http://127.0.0.1:7345";

// The first page that most people see is asked for together with the shell, not after it.
const home = "/src/pages/board/BoardPage.tsx";

function preloadHome(): Plugin {
  return {
    name: "preload-home",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
        const found = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(home));
        if (!found) return [];
        const entry = chunks.find((chunk) => chunk.isEntry);
        const files = [found.fileName, ...found.imports.filter((file) => !entry?.imports.includes(file))];
        return files
          .filter((file) => file !== entry?.fileName)
          .map((file) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
            injectTo: "head",
          }));
      },
    },
  };
}

export default defineConfig({
  plugins: [preloadHome()],
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    // The Content-Security-Policy has no data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4096,
  },
  server: {
    proxy: Object.fromEntries(
      ["/mcp", "/events", "/metrics", "/frame"].map((path) => [path, { target: lode, changeOrigin: false }]),
    ),
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
} as Parameters<typeof defineConfig>[0]);
