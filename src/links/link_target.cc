#include "links/link_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/uri.h"
#include "base/utf8.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 3> kProblems{"machine-specific", "dead", "unresolved"};
constexpr std::array<std::string_view, 6> kSchemes{"file",  "mcp",  "resource",
                                                   "skill", "lode", "capability-index"};
constexpr std::size_t kNone = std::string_view::npos;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "https" of https://…; empty: there is none. One letter is a drive.
std::string scheme_of(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == kNone || colon < 2 || !is_letter(text[0])) return "";
  std::string scheme(text.substr(0, colon));
  for (char& c : scheme) {
    const bool fits = is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!fits) return "";
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 32);
  }
  return scheme;
}

bool is_drive(std::string_view text) {
  return text.size() > 2 && is_letter(text[0]) && text[1] == ':' &&
         (text[2] == '/' || text[2] == '\\');
}

// A place holder of prose, such as mcp://backlog/tasks/{id} or file:///….
bool is_pattern(std::string_view text) {
  return text.find_first_of("{}<>*") != kNone || text.find("\u2026") != kNone ||
         text.ends_with("://");
}

// Without dots; nothing: it climbs above the root of all.
std::optional<std::string> resolved(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    const auto segment = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      segments.push_back(segment);
    } else if (segments.empty()) {
      return std::nullopt;
    } else {
      segments.pop_back();
    }
  }
  return fmt::format("/{}", fmt::join(segments, "/"));
}

bool is_below(std::string_view path, std::string_view root) {
  return path == root || (path.starts_with(root) && path.substr(root.size()).starts_with('/'));
}

class Judge {
 public:
  Judge(MarkdownLink::Kind kind, const std::string& directory, const LinkWorld& world)
      : kind_(kind), directory_(directory), world_(world) {}

  std::optional<LinkFinding> judge(std::string_view destination) {
    const auto whole = unescaped_destination(destination);
    const auto hash = std::min(whole.find('#'), whole.size());
    fragment_ = whole.substr(hash);
    const auto text = whole.substr(0, hash);
    if (text.empty()) return std::nullopt;
    if (is_drive(text)) return machine_path(text, "a path of one machine");
    const auto scheme = scheme_of(text);
    if (scheme.empty()) return path(text);
    if (kind_ == MarkdownLink::Kind::bare && is_pattern(text)) return std::nullopt;
    if (scheme == "file") return file_address(text);
    if (std::find(kSchemes.begin(), kSchemes.end(), scheme) == kSchemes.end()) return std::nullopt;
    auto why = world_.unresolved(text);
    if (!why) return std::nullopt;
    return LinkFinding{LinkProblem::unresolved, std::move(*why)};
  }

 private:
  std::optional<LinkFinding> file_address(const std::string& text) {
    const auto uri = Uri::parse(text);
    const auto decoded = uri ? decoded_path(*uri) : std::nullopt;
    const auto path = decoded ? resolved(*decoded) : std::nullopt;
    if (!path || !uri->authority().empty()) {
      return LinkFinding{LinkProblem::unresolved, "no address of a file"};
    }
    return machine_path(*path, "an address of one machine");
  }

  std::optional<LinkFinding> path(const std::string& text) {
    const auto decoded = decode(text.substr(0, text.find('?')));
    if (!decoded || !valid_utf8(*decoded)) {
      return LinkFinding{LinkProblem::dead, "its percent-encoding is malformed"};
    }
    if (decoded->starts_with("//")) return std::nullopt;  // another host
    if (decoded->starts_with("~/")) return machine_path(*decoded, "a path of one machine");
    if (decoded->starts_with('/')) return absolute(*decoded);
    const auto there = resolved(directory_ + "/" + *decoded);
    if (there && world_.exists(*there)) return std::nullopt;
    return dead(there.value_or(""), *decoded);
  }

  // Forges take /docs/a.md for the file below the repository's root.
  std::optional<LinkFinding> absolute(const std::string& text) {
    const auto path = resolved(text);
    if (!path) return LinkFinding{LinkProblem::dead, "it leads above the root"};
    const bool inside = std::any_of(world_.roots.begin(), world_.roots.end(),
                                    [&](const auto& root) { return is_below(*path, root.path); });
    for (const auto& root : world_.roots) {
      if (!inside && world_.exists(root.path + *path)) return std::nullopt;
    }
    return machine_path(*path, "a path of one machine");
  }

  // Where it is in this workspace: as it stands, or behind the name of a root.
  std::optional<std::string> here(const std::string& path) const {
    for (const auto& root : world_.roots) {
      if (is_below(path, root.path) && world_.exists(path)) return path;
    }
    for (const auto& root : world_.roots) {
      const auto name = "/" + root.name + "/";
      for (auto at = path.find(name); at != kNone; at = path.find(name, at + 1)) {
        auto meant = root.path + "/" + path.substr(at + name.size());
        if (world_.exists(meant)) return meant;
      }
    }
    return std::nullopt;
  }

  LinkFinding machine_path(std::string path, std::string_view what) const {
    std::replace(path.begin(), path.end(), '\\', '/');
    LinkFinding finding{LinkProblem::machine_specific, std::string(what)};
    auto address = world_.address(path);
    if (!address) {
      if (const auto meant = here(path)) address = world_.address(*meant);
    }
    if (address && fits_destination(kind_, *address)) {
      finding.right = *address + fragment_;
      finding.certain = true;
      return finding;
    }
    finding.why += world_.exists(path) ? ", which no address of Lode has"
                                       : ", where no file of this workspace is";
    suggest(path, finding);
    return finding;
  }

  LinkFinding dead(const std::string& path, const std::string& text) const {
    LinkFinding finding{LinkProblem::dead, "no such file"};
    const bool inside = std::any_of(world_.roots.begin(), world_.roots.end(),
                                    [&](const auto& root) { return is_below(path, root.path); });
    if (!inside) finding.why = "it leads out of the workspace";
    if (inside && world_.exists(path + ".md")) {
      finding.right = relative_link(directory_, path + ".md") + fragment_;
      return finding;
    }
    for (const auto& root : world_.roots) {
      const auto meant = resolved(root.path + "/" + text);
      if (!meant || !is_below(*meant, root.path) || !world_.exists(*meant)) continue;
      finding.right = relative_link(directory_, *meant) + fragment_;
      return finding;
    }
    suggest(path, finding);
    return finding;
  }

  // The file of that name, if it is the only one.
  void suggest(std::string_view path, LinkFinding& finding) const {
    const auto name = std::string(path.substr(path.rfind('/') + 1));
    const auto only = name.empty() ? std::nullopt : world_.only_file(name);
    if (only) finding.right = relative_link(directory_, *only) + fragment_;
  }

  const MarkdownLink::Kind kind_;
  const std::string& directory_;
  const LinkWorld& world_;
  std::string fragment_;
};

}  // namespace

std::string_view to_string(LinkProblem problem) {
  return kProblems[static_cast<std::size_t>(problem)];
}

std::span<const std::string_view> link_schemes() { return kSchemes; }

std::optional<LinkFinding> judge_link(std::string_view destination, MarkdownLink::Kind kind,
                                      const std::string& directory, const LinkWorld& world) {
  return Judge(kind, directory, world).judge(destination);
}

std::string relative_link(std::string_view directory, std::string_view path) {
  // Up to the last slash that both have.
  std::size_t common = 0;
  const auto begin = std::string(directory) + "/";
  const auto length = std::min(begin.size(), path.size());
  for (std::size_t i = 0; i < length && begin[i] == path[i]; ++i) {
    if (path[i] == '/') common = i + 1;
  }
  std::string out;
  for (const char c : begin.substr(std::min(common, begin.size()))) out += c == '/' ? "../" : "";
  out += encode_path(path.substr(common));
  return out.empty() ? "." : out;
}

}  // namespace lode
