#include "providers/capability/transfer/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, kFateCount> kNames{
    "kept", "mended", "converted", "present", "skipped", "conflict", "broken"};
// As a sum says them.
constexpr std::array<std::string_view, kFateCount> kSummed{
    "kept", "mended", "converted", "already there", "skipped", "in conflict", "broken"};

constexpr std::array<Fate, kFateCount> kFates{Fate::kept,    Fate::mended,  Fate::converted,
                                              Fate::present, Fate::skipped, Fate::conflict,
                                              Fate::broken};

}  // namespace

std::string_view to_string(Fate fate) { return kNames[static_cast<std::size_t>(fate)]; }

std::size_t TransferReport::count(Fate fate) const {
  const auto same = [&](const Moved& one) { return one.fate == fate; };
  return static_cast<std::size_t>(std::count_if(moved.begin(), moved.end(), same));
}

bool TransferReport::is_partial() const {
  return count(Fate::conflict) > 0 || count(Fate::broken) > 0;
}

JsonObject TransferReport::json(std::size_t most) const {
  JsonObject counts;
  for (const auto fate : kFates) counts[to_string(fate)] = count(fate);
  JsonArray files;
  for (const auto& one : moved) {
    if (files.size() == most) break;
    JsonObject file{{"from", one.from}, {"fate", to_string(one.fate)}};
    if (!one.to.empty()) file["to"] = one.to;
    if (!one.notes.empty()) file["notes"] = JsonArray(one.notes.begin(), one.notes.end());
    files.push_back(std::move(file));
  }
  JsonObject out{{"format", format}, {"dry_run", dry_run}, {"counts", std::move(counts)}};
  const auto left_off = moved.size() - files.size();
  out["files"] = std::move(files);
  if (left_off > 0) out["left_off"] = left_off;
  return out;
}

std::string TransferReport::summary() const {
  std::string out;
  for (const auto fate : kFates) {
    const auto number = count(fate);
    if (number == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", number,
                       kSummed[static_cast<std::size_t>(fate)]);
  }
  return out.empty() ? "nothing to move" : out;
}

std::string line_of(const Moved& moved) {
  auto line = fmt::format("{:<9} {}", to_string(moved.fate), moved.from);
  if (!moved.to.empty()) line += fmt::format(" → {}", moved.to);
  if (!moved.notes.empty()) line += fmt::format(": {}", fmt::join(moved.notes, "; "));
  return visible(line);  // files may have any name
}

}  // namespace lode
