#include "syntax/language.h"

#include <algorithm>
#include <array>
#include <string>

extern "C" {
const TSLanguage* tree_sitter_bash();
const TSLanguage* tree_sitter_c();
const TSLanguage* tree_sitter_c_sharp();
const TSLanguage* tree_sitter_cpp();
const TSLanguage* tree_sitter_css();
const TSLanguage* tree_sitter_go();
const TSLanguage* tree_sitter_html();
const TSLanguage* tree_sitter_java();
const TSLanguage* tree_sitter_javascript();
const TSLanguage* tree_sitter_json();
const TSLanguage* tree_sitter_kotlin();
const TSLanguage* tree_sitter_lua();
const TSLanguage* tree_sitter_markdown();
const TSLanguage* tree_sitter_php();
const TSLanguage* tree_sitter_python();
const TSLanguage* tree_sitter_ruby();
const TSLanguage* tree_sitter_rust();
const TSLanguage* tree_sitter_scala();
const TSLanguage* tree_sitter_sql();
const TSLanguage* tree_sitter_swift();
const TSLanguage* tree_sitter_toml();
const TSLanguage* tree_sitter_tsx();
const TSLanguage* tree_sitter_typescript();
const TSLanguage* tree_sitter_yaml();
}

namespace lode {
namespace {

constexpr auto kByName = NameRule::underscore_is_private;
constexpr auto kVisible = ExportRule::visible;
constexpr auto kMarked = ExportRule::marked;

constexpr auto kLanguages = std::to_array<Language>({
    {.id = "bash",
     .name = "Bash",
     .extensions = "sh bash bats ksh",
     .file_names = ".bashrc .bash_profile .bash_aliases .bash_logout .profile PKGBUILD",
     .interpreters = "sh bash dash ksh",
     .queries = "bash",
     .exports = kMarked,
     .grammar = tree_sitter_bash},
    {.id = "c",
     .name = "C",
     .extensions = "c h",
     .queries = "c",
     .visibility = Visibility::public_,
     .exports = kVisible,
     .macros = true,
     .grammar = tree_sitter_c},
    {.id = "cpp",
     .name = "C++",
     .extensions = "cc cpp cxx c++ hh hpp hxx h++ ipp ixx tpp txx inl cppm cu cuh",
     .queries = "c cpp",
     .visibility = Visibility::public_,
     .exports = kVisible,
     .macros = true,
     .grammar = tree_sitter_cpp},
    {.id = "csharp",
     .name = "C#",
     .extensions = "cs csx",
     .queries = "csharp",
     .visibility = Visibility::internal,
     .exports = kVisible,
     .grammar = tree_sitter_c_sharp},
    {.id = "css", .name = "CSS", .extensions = "css", .queries = "css", .grammar = tree_sitter_css},
    {.id = "go",
     .name = "Go",
     .extensions = "go",
     .queries = "go",
     .names = NameRule::capital_is_public,
     .exports = kVisible,
     .grammar = tree_sitter_go},
    {.id = "html",
     .name = "HTML",
     .extensions = "html htm xhtml",
     .queries = "html",
     .grammar = tree_sitter_html},
    {.id = "java",
     .name = "Java",
     .extensions = "java",
     .queries = "java",
     .visibility = Visibility::internal,
     .exports = kVisible,
     .grammar = tree_sitter_java},
    {.id = "javascript",
     .name = "JavaScript",
     .extensions = "js mjs cjs jsx",
     .interpreters = "node nodejs bun",
     .queries = "ecmascript javascript",
     .exports = kMarked,
     .grammar = tree_sitter_javascript},
    {.id = "json",
     .name = "JSON",
     .extensions = "json jsonc webmanifest geojson",
     .file_names = ".babelrc .eslintrc .prettierrc .swcrc composer.lock",
     .queries = "json",
     .data = true,
     .grammar = tree_sitter_json},
    {.id = "kotlin",
     .name = "Kotlin",
     .extensions = "kt kts",
     .queries = "kotlin",
     .visibility = Visibility::public_,
     .exports = kVisible,
     .grammar = tree_sitter_kotlin},
    {.id = "lua",
     .name = "Lua",
     .extensions = "lua rockspec",
     .interpreters = "lua luajit",
     .queries = "lua",
     .names = kByName,
     .exports = kMarked,
     .grammar = tree_sitter_lua},
    {.id = "markdown",
     .name = "Markdown",
     .extensions = "md markdown mdown mkd",
     .queries = "markdown",
     .grammar = tree_sitter_markdown},
    {.id = "php",
     .name = "PHP",
     .extensions = "php php3 php4 php5 phtml inc",
     .interpreters = "php",
     .queries = "php",
     .visibility = Visibility::public_,
     .exports = kVisible,
     .grammar = tree_sitter_php},
    {.id = "python",
     .name = "Python",
     .extensions = "py pyi py3 pyw",
     .file_names = "SConstruct SConscript wscript",
     .interpreters = "python python2 python3 pypy pypy3",
     .queries = "python",
     .names = kByName,
     .exports = kVisible,
     .grammar = tree_sitter_python},
    {.id = "ruby",
     .name = "Ruby",
     .extensions = "rb rake gemspec ru podspec",
     .file_names = "Rakefile Gemfile Guardfile Vagrantfile Podfile Fastfile Brewfile",
     .interpreters = "ruby jruby",
     .queries = "ruby",
     .visibility = Visibility::public_,
     .exports = kVisible,
     .grammar = tree_sitter_ruby},
    {.id = "rust",
     .name = "Rust",
     .extensions = "rs",
     .queries = "rust",
     .visibility = Visibility::private_,
     .exports = kVisible,
     .grammar = tree_sitter_rust},
    {.id = "scala",
     .name = "Scala",
     .extensions = "scala sc sbt",
     .queries = "scala",
     .visibility = Visibility::public_,
     .exports = kVisible,
     .grammar = tree_sitter_scala},
    {.id = "sql",
     .name = "SQL",
     .extensions = "sql ddl dml",
     .queries = "sql",
     .grammar = tree_sitter_sql},
    {.id = "swift",
     .name = "Swift",
     .extensions = "swift",
     .interpreters = "swift",
     .queries = "swift",
     .visibility = Visibility::internal,
     .exports = kVisible,
     .grammar = tree_sitter_swift},
    {.id = "toml",
     .name = "TOML",
     .extensions = "toml",
     .file_names = "Cargo.lock Pipfile poetry.lock uv.lock",
     .queries = "toml",
     .data = true,
     .grammar = tree_sitter_toml},
    {.id = "tsx",
     .name = "TSX",
     .extensions = "tsx",
     .queries = "ecmascript typescript",
     .exports = kMarked,
     .grammar = tree_sitter_tsx},
    {.id = "typescript",
     .name = "TypeScript",
     .extensions = "ts mts cts",
     .interpreters = "deno ts-node tsx",
     .queries = "ecmascript typescript",
     .exports = kMarked,
     .grammar = tree_sitter_typescript},
    {.id = "yaml",
     .name = "YAML",
     .extensions = "yaml yml",
     .file_names = ".clang-format .clang-tidy .clangd CITATION.cff",
     .queries = "yaml",
     .data = true,
     .grammar = tree_sitter_yaml},
});

constexpr std::size_t kLookBytes = 64 * 1024;  // of a header, to tell C from C++

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

template <class Field>
const Language* with_word(Field field, std::string_view word) {
  if (word.empty()) return nullptr;
  const auto found = std::ranges::find_if(
      kLanguages, [&](const Language& language) { return has_word(language.*field, word); });
  return found == kLanguages.end() ? nullptr : &*found;
}

std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  const auto word = line.substr(0, std::min(line.find_first_of(" \t\r"), line.size()));
  line.remove_prefix(word.size());
  return word;
}

// "#!/usr/bin/env -S python3.11 -u": "python".
std::string_view interpreter(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  auto line = take_line(text).substr(2);
  const auto base = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  auto word = base(take_word(line));
  if (word == "env") {
    do word = take_word(line);
    while (word.starts_with('-') || word.find('=') != word.npos);
    word = base(word);
  }
  const auto version = word.find_first_of("0123456789.");
  if (with_word(&Language::interpreters, word) != nullptr || version == 0) return word;
  return word.substr(0, version);
}

// Words that only C++ has where they stand: at the beginning of a line of code.
bool begins_like_cpp(std::string_view line) {
  const auto word = take_word(line);
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"class", "namespace", "template", "template<", "public:", "private:", "protected:", "using",
       "constexpr", "explicit", "virtual", "friend", "template<>", "public", "private"});
  if (std::ranges::find(kWords, word) != kWords.end()) return true;
  if (word.starts_with("template<")) return true;
  if (word != "#include") return false;
  const auto file = take_word(line);  // a standard header has no ending in C++ alone
  return file.starts_with('<') && file.find('.') == file.npos && file.find('/') == file.npos;
}

// What a block comment does not cover of a line; `open`: one goes on.
std::string_view outside_comment(std::string_view line, bool& open) {
  if (open) {
    const auto end = line.find("*/");
    if (end == line.npos) return {};
    open = false;
    line.remove_prefix(end + 2);
  }
  const auto begin = line.find("/*");
  if (begin == line.npos) return line;
  open = line.find("*/", begin + 2) == line.npos;
  return line.substr(0, begin);
}

// What a C header keeps from C compilers, between lines that name __cplusplus,
// makes it no header of C++.
bool is_cpp_header(std::string_view text) {
  text = text.substr(0, kLookBytes);
  bool in_comment = false;
  std::size_t depth = 0;        // of #if
  std::size_t kept_from_c = 0;  // the depth of the one that names __cplusplus
  while (!text.empty()) {
    const auto line = outside_comment(take_line(text), in_comment);
    if (line.starts_with("#if")) {
      ++depth;
      if (kept_from_c == 0 && line.find("__cplusplus") != line.npos) kept_from_c = depth;
    } else if (line.starts_with("#endif") && depth > 0) {
      if (depth-- == kept_from_c) kept_from_c = 0;
    } else if (kept_from_c == 0 && begins_like_cpp(line)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::span<const Language> languages() { return kLanguages; }

const Language* find_language(std::string_view id) {
  const auto found = std::ranges::find(kLanguages, id, &Language::id);
  return found == kLanguages.end() ? nullptr : &*found;
}

const Language* language_of(std::string_view path, std::string_view text) {
  const auto name = path.substr(path.rfind('/') + 1);
  if (const auto* language = with_word(&Language::file_names, name)) return language;
  const auto dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return with_word(&Language::interpreters, interpreter(text));
  const auto extension = name.substr(dot + 1);
  if (extension == "h" && is_cpp_header(text)) return find_language("cpp");
  if (extension == "H" || extension == "C") return find_language("cpp");
  std::string lower(extension);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return with_word(&Language::extensions, lower);
}

}  // namespace lode
