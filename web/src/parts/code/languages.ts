// Which language a file or a fence is in, by the names that worker.ts knows.

const byExtension = new Map(
  Object.entries({
    bash: "sh bash zsh ksh bats",
    c: "c h",
    cmake: "cmake",
    cpp: "cc cpp cxx hh hpp hxx ipp inl ino c++",
    csharp: "cs csx",
    css: "css",
    diff: "diff patch",
    dockerfile: "dockerfile containerfile",
    elixir: "ex exs",
    go: "go",
    graphql: "graphql gql",
    haskell: "hs",
    ini: "ini toml cfg conf properties editorconfig gitconfig",
    java: "java",
    javascript: "js mjs cjs jsx",
    json: "json jsonc json5 jsonl ndjson geojson webmanifest map lock",
    kotlin: "kt kts",
    lua: "lua",
    makefile: "mk mak makefile",
    markdown: "md markdown mdx",
    nix: "nix",
    perl: "pl pm",
    php: "php phtml",
    powershell: "ps1 psm1",
    protobuf: "proto",
    python: "py pyi pyw bzl",
    r: "r",
    ruby: "rb rake gemspec",
    rust: "rs",
    scala: "scala sc sbt",
    scss: "scss less",
    sql: "sql",
    swift: "swift",
    typescript: "ts mts cts tsx",
    xml: "html htm xhtml xml svg vue svelte xsd xsl plist csproj props",
    yaml: "yaml yml",
  }).flatMap(([language, endings]) => endings.split(" ").map((ending) => [ending, language] as const)),
);

const byName = new Map(
  Object.entries({
    "cmakelists.txt": "cmake",
    "go.mod": "go",
    dockerfile: "dockerfile",
    gemfile: "ruby",
    justfile: "makefile",
    makefile: "makefile",
    rakefile: "ruby",
  }),
);

const byWord = new Map(
  Object.entries({
    "c#": "csharp",
    console: "bash",
    docker: "dockerfile",
    golang: "go",
    html: "xml",
    make: "makefile",
    node: "javascript",
    python3: "python",
    shell: "bash",
    "shell-session": "bash",
    terminal: "bash",
    toml: "ini",
  }),
);

const known = new Set(byExtension.values());

// Of a file's name; empty if it is none that is known.
export function languageOfFile(name: string): string {
  const last = (name.split("/").at(-1) ?? "").toLowerCase();
  const ending = last.includes(".") ? (last.split(".").at(-1) ?? "") : "";
  return byName.get(last) ?? byExtension.get(ending) ?? "";
}

// Of the word behind a fence's marks; empty if it is none that is known.
export function languageOfWord(word: string): string {
  const name = word.toLowerCase();
  return known.has(name) ? name : (byWord.get(name) ?? byExtension.get(name) ?? "");
}

// Of a media type: what is code though its name does not say so.
export function languageOfType(type: string): string {
  const subtype = type.split(";", 1)[0]?.split("/")[1]?.replace(/^x-/, "") ?? "";
  return languageOfWord(subtype.replace(/\+.*$/, "")) || languageOfWord(subtype.split("+")[1] ?? "");
}
