// Links in markdown. Input: a text.
//
//  - Every destination is within the text, on one of its lines, and bounded; they are in order
//    and do not overlap, so that edits of them can be made.
//  - What replaces destinations is found again in their place, and nothing else changes.
//  - A link is judged without harm, whatever it says, and what would be right fits.
#include "links/markdown_links.h"

#include <algorithm>
#include <string>

#include "fuzz.h"
#include "links/line_diff.h"
#include "links/link_target.h"

namespace lode::fuzz {
namespace {

LinkWorld world() {
  LinkWorld out;
  out.roots = {{"/w", "w"}};
  out.exists = [](const std::string& path) { return path.size() % 2 == 0; };
  out.address = [](const std::string& path) -> std::optional<std::string> {
    if (path.size() % 3 != 0) return std::nullopt;
    return "mcp://backlog/resources/a.md";
  };
  out.unresolved = [](const std::string&) { return std::nullopt; };
  out.only_file = [](const std::string&) { return std::optional<std::string>("/w/x/b.md"); };
  return out;
}

}  // namespace

void run(std::string_view input) {
  const auto links = links_in(input, link_schemes());
  const auto known = world();
  check(links.size() <= kMostLinks, "their number is bounded");
  std::vector<LineEdit> edits;
  std::size_t behind = 0;
  for (const auto& link : links) {
    check(link.begin >= behind && link.begin < link.end && link.end <= input.size(),
          "they are in order, within the text, and do not overlap");
    check(link.end - link.begin <= kLinkBytes, "a destination is bounded");
    behind = link.end;
    const auto said = link.in(input);
    check(said.find('\n') == std::string_view::npos, "and on one line");
    const auto lines =
        std::count(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(link.begin), '\n');
    if (links.size() < 100) {
      check(link.line == static_cast<std::size_t>(lines) + 1, "which is told");
    }
    const auto finding = judge_link(said, link.kind, "/w/docs", known);
    if (!finding || !finding->certain || finding->right.find('\n') != std::string::npos) continue;
    edits.push_back({link.begin, link.end, finding->right});
  }
  const auto edited = with_edits(input, edits);
  check(std::count(edited.begin(), edited.end(), '\n') ==
            std::count(input.begin(), input.end(), '\n'),
        "edits keep the lines");
  check(edits.empty() == line_diff("a.md", input, edits).empty() || edited == input,
        "what changed is shown");
}

}  // namespace lode::fuzz
