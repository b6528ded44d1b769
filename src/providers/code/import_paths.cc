#include "providers/code/import_paths.h"

#include <algorithm>
#include <array>
#include <vector>

#include "workspace/workspace.h"

namespace lode {
namespace {

// Where a path is looked for.
enum class From : std::uint8_t {
  here,    // beside the file alone
  dotted,  // beside the file, if it begins with a dot; else it is no file
  around,  // beside the file, then in each directory further out
};

struct ImportRule {
  std::string_view languages;     // ids, divided by spaces
  std::string_view divider = {};  // between the parts of a name; empty: it is a path
  std::string_view endings = {};  // of files, divided by spaces; "-": none
  std::string_view folders = {};  // of a directory that are looked into besides itself
  From from = From::around;
  bool dots_lead_out = false;  // of two dots at the beginning the second is "..", and so on
  bool with_name = false;      // what is imported by name may be a file of its own
  int shorter = 0;             // so many parts at the end may be names in the file
  int later = 0;               // so many at the beginning may stand for the folder
  bool by_module = false;      // it begins with the module's own path, and is a directory
};

constexpr auto kRules = std::to_array<ImportRule>({
    {.languages = "javascript typescript tsx",
     .endings = "- .ts .tsx .d.ts .js .jsx .mjs .cjs .mts .cts .json /index.ts /index.tsx "
                "/index.js /index.mjs /index.d.ts",
     .from = From::dotted},
    {.languages = "c cpp", .endings = "-", .folders = "include src"},
    {.languages = "python",
     .divider = ".",
     .endings = ".py .pyi /__init__.py /__init__.pyi",
     .folders = "src lib",
     .dots_lead_out = true,
     .with_name = true},
    {.languages = "go", .by_module = true},
    {.languages = "rust",
     .divider = "::",
     .endings = ".rs /mod.rs",
     .folders = "src",
     .with_name = true,
     .shorter = 2},
    {.languages = "java kotlin scala",
     .divider = ".",
     .endings = ".java .kt .scala",
     .folders = "src/main/java src/main/kotlin src/main/scala src",
     .with_name = true,
     .shorter = 1},
    {.languages = "ruby", .endings = ".rb -", .folders = "lib app"},
    {.languages = "php",
     .divider = "\\",
     .endings = ".php -",
     .folders = "src lib app",
     .with_name = true,
     .later = 2},
    {.languages = "lua", .divider = ".", .endings = ".lua /init.lua", .folders = "lua src lib"},
    {.languages = "css html", .endings = "- .css .scss", .from = From::here},
    {.languages = "bash", .endings = "-"},
});

// Calls f for each word of a list until it says true.
template <class F>
bool any_word(std::string_view words, F f) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (f(words.substr(0, end))) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

const ImportRule* rule_of(const Language& language) {
  const auto found = std::ranges::find_if(kRules, [&](const ImportRule& rule) {
    return any_word(rule.languages, [&](std::string_view id) { return id == language.id; });
  });
  return found == kRules.end() ? nullptr : &*found;
}

std::string join(std::string_view directory, std::string_view rest) {
  if (directory.empty()) return std::string(rest);
  return std::string(directory).append("/").append(rest);
}

std::vector<std::string> split(std::string_view name, std::string_view divider) {
  std::vector<std::string> parts;
  while (!name.empty()) {
    const auto end = std::min(name.find(divider), name.size());
    if (end > 0) parts.emplace_back(name.substr(0, end));
    name.remove_prefix(std::min(end + divider.size(), name.size()));
  }
  return parts;
}

class Resolver {
 public:
  Resolver(const ImportRule& rule, std::string_view file, const Import& import,
           const ImportPlaces& places)
      : rule_(rule), here_(parent_path(file)), file_(file), import_(import), places_(places) {}

  std::optional<std::string> run() {
    if (rule_.by_module) return by_module();
    if (rule_.divider.empty()) return by_path(std::string(import_.source));
    return by_name();
  }

 private:
  std::optional<std::string> at(std::string_view directory, std::string_view path) const {
    const auto base = resolve_dots(join(directory, path));
    if (!base || base->empty()) return std::nullopt;
    std::optional<std::string> found;
    any_word(rule_.endings, [&](std::string_view ending) {
      auto candidate = *base + std::string(ending == "-" ? "" : ending);
      if (candidate == file_ || !places_.stands(candidate, false)) return false;
      found = std::move(candidate);
      return true;
    });
    return found ? found : compiled_from(*base);
  }

  // Of x.js that is not there, x.ts.
  std::optional<std::string> compiled_from(const std::string& base) const {
    if (rule_.from != From::dotted) return std::nullopt;
    for (const std::string_view ending : {".js", ".mjs", ".cjs", ".jsx"}) {
      if (!base.ends_with(ending)) continue;
      const auto stem = base.substr(0, base.size() - ending.size());
      for (const std::string_view written : {".ts", ".tsx", ".mts", ".cts", ".d.ts"}) {
        if (places_.stands(stem + std::string(written), false)) return stem + std::string(written);
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> around(std::string_view path) const {
    for (std::string_view directory = here_;; directory = parent_path(directory)) {
      if (auto found = at(directory, path)) return found;
      std::optional<std::string> inside;
      any_word(rule_.folders, [&](std::string_view folder) {
        inside = at(join(directory, folder), path);
        return inside.has_value();
      });
      if (inside || directory.empty()) return inside;
    }
  }

  std::optional<std::string> by_path(std::string path) const {
    if (const auto end = path.find_first_of("?#"); end != path.npos && rule_.from == From::here) {
      path.resize(end);
    }
    if (path.find("://") != path.npos || path.empty()) return std::nullopt;
    if (rule_.from == From::dotted && !path.starts_with('.')) return std::nullopt;
    if (path.starts_with('/')) return rule_.from == From::here ? at("", path) : std::nullopt;
    return rule_.from == From::around ? around(path) : at(here_, path);
  }

  std::optional<std::string> by_name() const {
    std::string_view source = import_.source;
    if (rule_.dots_lead_out && source.starts_with('.')) return by_dots(source);
    auto parts = split(source, rule_.divider);
    const bool named = rule_.with_name && !import_.name.empty() && import_.name != "*" &&
                       import_.name != "self" && import_.name != "_";
    if (named) parts.emplace_back(import_.name);
    const bool own = !parts.empty() && parts.front() == "crate";
    if (own) parts.erase(parts.begin());
    const bool inward = !parts.empty() && (parts.front() == "self" || parts.front() == "super");
    if (inward) parts.erase(parts.begin());
    const int shorter = rule_.shorter + (named ? 1 : 0);
    for (int drop = 0; drop <= shorter; ++drop) {
      for (int skip = 0; skip <= rule_.later; ++skip) {
        if (auto found = by_parts(parts, skip, drop)) return found;
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> by_parts(const std::vector<std::string>& parts, int skip,
                                      int drop) const {
    const auto size = static_cast<int>(parts.size());
    if (skip + drop >= size) return std::nullopt;
    std::string path;
    for (int i = skip; i < size - drop; ++i) {
      path.append(path.empty() ? "" : "/").append(parts[static_cast<std::size_t>(i)]);
    }
    return around(path);
  }

  std::optional<std::string> by_dots(std::string_view source) const {
    const auto dots = std::min(source.find_first_not_of('.'), source.size());
    std::string up;
    for (std::size_t i = 1; i < dots; ++i) up += "../";
    std::string path;
    for (const auto& part : split(source.substr(dots), rule_.divider)) {
      path.append(path.empty() ? "" : "/").append(part);
    }
    if (!import_.name.empty() && import_.name != "*") {
      if (auto found = at(here_, up + join(path, import_.name))) return found;
    }
    if (!path.empty()) return at(here_, up + path);
    auto package = resolve_dots(join(join(here_, up), "__init__.py"));
    return package && places_.stands(*package, false) ? package : std::nullopt;
  }

  std::optional<std::string> by_module() const {
    constexpr std::string_view kWord = "module ";
    for (std::string_view directory = here_;; directory = parent_path(directory)) {
      const auto text = places_.text(join(directory, "go.mod"));
      const auto word = text.starts_with(kWord) ? 0 : text.find("\nmodule ");
      if (!text.empty() && word != text.npos) {
        auto begin = word + kWord.size() + (word == 0 ? 0 : 1);
        const auto module = text.substr(begin, text.find_first_of(" \r\n", begin) - begin);
        return below_module(directory, module);
      }
      if (directory.empty()) return std::nullopt;
    }
  }

  std::optional<std::string> below_module(std::string_view directory,
                                          std::string_view module) const {
    auto source = import_.source;
    if (module.empty() || !source.starts_with(module)) return std::nullopt;
    source.remove_prefix(module.size());
    if (!source.empty() && source.front() != '/') return std::nullopt;
    auto path = resolve_dots(join(directory, source));
    return path && places_.stands(*path, true) ? path : std::nullopt;
  }

  const ImportRule& rule_;
  const std::string_view here_;
  const std::string_view file_;
  const Import& import_;
  const ImportPlaces& places_;
};

}  // namespace

std::optional<std::string> resolve_import(const Language& language, std::string_view file,
                                          const Import& import, const ImportPlaces& places) {
  const auto* rule = rule_of(language);
  if (rule == nullptr || import.source.empty()) return std::nullopt;
  return Resolver(*rule, file, import, places).run();
}

}  // namespace lode
