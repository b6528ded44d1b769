// The trees that elements come from and go to, and where each of their files
// belongs among Lode's elements.
//
//   dollhouse   a portfolio: personas/*.md, skills/…, memories/2025-01-15/*.yaml;
//               or the folder that holds portfolio/
//   nexs        a data directory: elements/persona/2025-01-15/*.yaml, at whatever
//               depth, with an author's folder between or without; a backup's
//               *.json, unpacked
//   skills      Agent Skills: folders with a SKILL.md
//
// Below the folder of its type a file keeps its path. Values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "providers/capability/element.h"
#include "providers/capability/transfer/source_tree.h"

namespace lode {

enum class TransferFormat : std::uint8_t { dollhouse, nexs, skills };
inline constexpr std::array<std::string_view, 3> kTransferFormats{"dollhouse", "nexs", "skills"};

std::string_view to_string(TransferFormat format);
std::optional<TransferFormat> find_transfer_format(std::string_view name);

// By the folders' names; nothing: it is none of them.
std::optional<TransferFormat> detect_format(const std::vector<SourceFile>& files);

// The folder of a type in a portfolio: "personas".
std::string plural(ElementType type);

struct Placement {
  enum class Kind : std::uint8_t {
    nothing,  // it is not moved
    element,  // a file that is an element
    sheet,    // the SKILL.md of a skill's folder
    part,     // another file of a skill's folder
  };
  Kind kind = Kind::nothing;
  ElementType type = ElementType::skill;
  std::string target;  // below the folder of elements
  std::string folder;  // of a sheet or part: the skill's, in the tree it comes from
  std::string why;     // of nothing
};

class Placer {
 public:
  // tree: the name of the tree's own folder, for a skill that is all of it.
  Placer(TransferFormat format, const std::vector<SourceFile>& files, std::string tree);

  Placement place(const SourceFile& file) const;

 private:
  Placement place_in_portfolio(const SourceFile& file) const;
  Placement place_in_nexs(const SourceFile& file) const;
  std::optional<std::string> skill_folder(std::string_view path) const;
  Placement place_in_skill(const SourceFile& file, std::string folder,
                           std::string_view below) const;

  const TransferFormat format_;
  const std::string tree_;
  std::string prefix_;                   // what stands before the folders of types
  std::set<std::string> skill_folders_;  // the outermost that have a SKILL.md
};

}  // namespace lode
