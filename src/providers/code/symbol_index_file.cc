// What is known of files, on disk.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/varint.h"
#include "providers/code/symbol_index.h"
#include "syntax/outline_record.h"

namespace lode {
namespace {

constexpr int kFormat = 3;
constexpr const char* kFile = "/symbols.index";

std::string format() { return fmt::format("symbols {} {}", kFormat, outline_version()); }

}  // namespace

void SymbolIndex::save() {
  Index::Companion companion;
  {
    const Lock lock(mutex_);
    if (directory_.empty() || !loaded_ || !changed_since_saved_) return;
    changed_since_saved_ = false;
    companion.format = format();
    auto& body = companion.bytes;
    put_varint(body, known_.size());
    for (const auto& [path, known] : known_) {
      put_text(body, path);
      put_varint(body, known.stamp);
      put_varint(body, known.count);
      put_text(body, known.symbols);
    }
  }
  if (auto saved = index_.save(directory_ + kFile, companion); !saved) {
    log_.info("symbols were not saved", {{"problem", saved.error().message}});
  }
}

// The roots may be others than those of the run that left the file.
bool SymbolIndex::has_tree(const std::string& name) const {
  const auto& trees = workspace_.trees();
  return trees.size() == 1 ||
         std::any_of(trees.begin(), trees.end(), [&](const Workspace::Tree& tree) {
           return name.starts_with(tree.name + "/");
         });
}

void SymbolIndex::load_kept() {
  if (auto loaded = load(); !loaded && loaded.error().code != Code::not_found) {
    log_.info("made anew", {{"what", "the index of symbols"}, {"problem", loaded.error().message}});
  }
  std::vector<std::string> strange;
  {
    const Lock lock(mutex_);
    loaded_ = true;
    for (const auto& [name, known] : known_) {
      if (!has_tree(name)) strange.push_back(name);
    }
  }
  for (const auto& name : strange) forget_name(name);
}

Status SymbolIndex::load() {
  if (directory_.empty()) return {};
  const auto body = index_.load(directory_ + kFile, format());
  if (!body) return body.error();
  VarintReader in(*body);
  std::unordered_map<std::string, Known> known;
  std::size_t symbols = 0;
  for (auto n = in.number(in.left()); n > 0 && in.ok(); --n) {
    std::string path(in.text());
    Known of_file;
    of_file.stamp = in.number(UINT64_MAX);
    of_file.count = in.number(in.left());
    of_file.symbols = in.text();
    symbols += of_file.count;
    known.emplace(std::move(path), std::move(of_file));
  }
  if (!in.ok() || !in.at_end() || symbols != index_.stats().documents) {
    index_.clear();
    return invalid("what is known of files is damaged");
  }
  const Lock lock(mutex_);
  known_ = std::move(known);
  symbols_ = symbols;
  return {};
}

}  // namespace lode
