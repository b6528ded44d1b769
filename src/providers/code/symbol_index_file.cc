// What is known of files, on disk.
#include <fmt/format.h>

#include "base/derived_file.h"
#include "base/varint.h"
#include "providers/code/address.h"
#include "providers/code/symbol_index.h"
#include "syntax/outline_record.h"

namespace lode {
namespace {

constexpr int kFormat = 1;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

constexpr const char* kKnownFile = "/symbols.known";
constexpr const char* kIndexFile = "/symbols.index";

std::string format() { return fmt::format("symbols {} {}", kFormat, outline_version()); }

}  // namespace

void SymbolIndex::save() {
  const WriteLock working(working_);  // nothing is put into the index meanwhile
  std::string body;
  {
    const Lock lock(mutex_);
    if (directory_.empty() || !loaded_ || !changed_since_saved_) return;
    changed_since_saved_ = false;
    put_varint(body, known_.size());
    for (const auto& [path, known] : known_) {
      put_text(body, path);
      put_varint(body, known.stamp);
      put_varint(body, known.count);
      put_text(body, known.symbols);
    }
  }
  // In this order: what is known of a file is checked against the index.
  for (const auto& saved : {write_derived(directory_ + kKnownFile, seal(format(), body)),
                            index_.save(directory_ + kIndexFile)}) {
    if (!saved) log_.info("symbols were not saved", {{"problem", saved.error().message}});
  }
}

// The two files are not of one time: what no file is known to have is nobody's.
void SymbolIndex::drop_unknown(const std::unordered_map<std::string, Known>& known) {
  std::unordered_set<std::string> keys;
  for (const auto& [path, of_file] : known) {
    const auto prefix = symbol_uri(path, "");
    for (VarintReader names(of_file.symbols); !names.at_end();) {
      keys.insert(prefix + encode_component(names.text()));
    }
  }
  for (const auto& [key, stamp] : index_.known("symbol")) {
    if (!keys.contains(key)) index_.remove(key);
  }
}

Status SymbolIndex::load() {
  if (directory_.empty()) return {};
  if (auto loaded = index_.load(directory_ + kIndexFile); !loaded) return loaded;
  auto bytes = read_derived(directory_ + kKnownFile, kMostBytes);
  auto body = bytes ? unseal(format(), *bytes) : bytes.error();
  if (!body) {
    drop_unknown({});
    return std::move(body).error();
  }
  VarintReader in(*body);
  std::unordered_map<std::string, Known> known;
  std::size_t symbols = 0;
  for (auto n = in.number(in.left()); n > 0 && in.ok(); --n) {
    std::string path(in.text());
    Known of_file;
    of_file.stamp = in.number(UINT64_MAX);
    of_file.count = in.number(in.left());
    of_file.symbols = in.text();
    VarintReader names(of_file.symbols);
    const auto first = names.text();
    // The index may be older, or gone.
    if (!first.empty() && index_.stamp(symbol_uri(path, first)) != of_file.stamp) continue;
    symbols += of_file.count;
    known.emplace(std::move(path), std::move(of_file));
  }
  if (!in.ok() || !in.at_end()) known.clear();
  if (known.empty()) symbols = 0;
  if (index_.stats().documents != symbols) drop_unknown(known);
  const Lock lock(mutex_);
  known_ = std::move(known);
  symbols_ = symbols;
  return {};
}

}  // namespace lode
