// What a link means, and what would be right instead: pure decisions. Which files and
// addresses there are, LinkWorld tells.
//
//   https://…, mailto:…, #part     another's affair; not looked at
//   file:///home/ana/w/docs/a.md   machine-specific, whether or not the file is there
//   /home/ana/w/docs/a.md, C:\a    the same; but /docs/a.md is the file below the root that
//                                  forges show, if there is one
//   docs/a.md, ../a.md#part        a file beside; dead if it is not there
//   mcp://backlog/…, resource://…  unresolved if Lode answers nothing there
//
// A path of another machine is known again by the name of the workspace's directory:
// /Users/bo/w/docs/a.md is docs/a.md in a workspace called w, if that is there. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "links/markdown_links.h"

namespace lode {

enum class LinkProblem : std::uint8_t { machine_specific, dead, unresolved };
// "machine-specific", "dead", "unresolved"
std::string_view to_string(LinkProblem problem);

// What there is. Paths are absolute, without dots and without a slash at their end.
struct LinkWorld {
  struct Root {
    std::string path;  // "/home/ana/w"
    std::string name;  // "w"
  };
  std::vector<Root> roots;
  // Whether a file or directory is there, and may be known.
  std::function<bool(const std::string& path)> exists;
  // The address for every machine of a file that is there; nothing: it has none.
  std::function<std::optional<std::string>(const std::string& path)> address;
  // Why nothing answers at an address; nothing: something does.
  std::function<std::optional<std::string>(const std::string& uri)> unresolved;
  // The only file of that name; nothing: there is none, or several.
  std::function<std::optional<std::string>(const std::string& name)> only_file;
};

struct LinkFinding {
  LinkProblem problem = LinkProblem::dead;
  std::string why;
  std::string right{};   // what the destination should be; empty: nobody knows
  bool certain = false;  // it means the same file, so that it may be converted
};

// The schemes whose addresses Lode answers at, for links_in().
std::span<const std::string_view> link_schemes();

// directory: of the file that has the link, absolute. Nothing: all is well.
std::optional<LinkFinding> judge_link(std::string_view destination, MarkdownLink::Kind kind,
                                      const std::string& directory, const LinkWorld& world);

// The way from a directory to a file, as a link has it: "../docs/a%20b.md".
std::string relative_link(std::string_view directory, std::string_view path);

}  // namespace lode
