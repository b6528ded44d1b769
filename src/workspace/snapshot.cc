#include "workspace/snapshot.h"

#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/derived_file.h"
#include "base/varint.h"

namespace lode {
namespace {

// The body of the file, each a varint: the flags, the count, and for each path
// how much it shares with the one before, how much it adds, those bytes, and its
// state.
constexpr std::string_view kFormat = "files 2";
constexpr std::size_t kMaxFile = 1024UL * 1024 * 1024;

std::string_view parent_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace

bool Snapshot::add(std::string_view path, const FileState& state) {
  if (names_.size() + path.size() > std::numeric_limits<std::uint32_t>::max()) return false;
  entries_.push_back(
      {static_cast<std::uint32_t>(names_.size()), static_cast<std::uint32_t>(path.size()), state});
  names_ += path;
  return true;
}

void Snapshot::sort() {
  const std::string_view names = names_;
  std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
    return names.substr(a.begin, a.length) < names.substr(b.begin, b.length);
  });
}

const FileState* Snapshot::find(std::string_view path) const {
  const std::string_view names = names_;
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), path,
                                   [&](const Entry& entry, std::string_view wanted) {
                                     return names.substr(entry.begin, entry.length) < wanted;
                                   });
  if (at == entries_.end() || names.substr(at->begin, at->length) != path) return nullptr;
  return &at->state;
}

std::string Snapshot::encoded() const {
  std::string out;
  put_varint(out, complete_ ? 1 : 0);
  put_varint(out, entries_.size());
  std::string_view last;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto name = path(i);
    const auto [differs, other] = std::mismatch(name.begin(), name.end(), last.begin(), last.end());
    const auto shared = static_cast<std::size_t>(differs - name.begin());
    put_varint(out, shared);
    put_text(out, name.substr(shared));
    put_varint(out, state(i).stamp);
    put_varint(out, state(i).mode);
    last = name;
  }
  return out;
}

Result<Snapshot> Snapshot::decoded(std::string_view bytes) {
  VarintReader in(bytes);
  Snapshot snapshot;
  snapshot.complete_ = in.number(1) == 1;
  std::string name;
  // A path takes more than one byte, so that no count makes this long.
  for (std::uint64_t n = in.number(in.left()); n > 0 && in.ok(); --n) {
    name.resize(in.number(name.size()));
    name += in.text();
    FileState state;
    state.stamp = in.number(std::numeric_limits<std::uint64_t>::max());
    state.mode = in.number32();
    if (!snapshot.add(name, state)) in.fail();
  }
  if (!in.ok() || !in.at_end()) return invalid("it is damaged");
  return snapshot;
}

Status Snapshot::save(const std::string& file) const {
  return write_derived(file, seal(kFormat, encoded()));
}

Result<Snapshot> Snapshot::load(const std::string& file) {
  const auto bytes = read_derived(file, kMaxFile);
  if (!bytes) return bytes.error();
  const auto body = unseal(kFormat, bytes->view());
  if (!body) return Error(body.error()).in(file);
  auto snapshot = decoded(*body);
  if (!snapshot) return std::move(snapshot).error().in(file);
  return snapshot;
}

Changes diff(const Snapshot& before, const Snapshot& now) {
  Changes changes;
  const auto differs = [&](std::string_view path, const FileState& state, bool listed) {
    if (!S_ISDIR(state.mode)) changes.paths.emplace_back(path);
    if (S_ISDIR(state.mode) && listed) changes.directories.emplace_back(path);
    if (listed) changes.listings.emplace_back(parent_of(path));
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < now.size()) {
    const int order = i == before.size() ? 1
                      : j == now.size()  ? -1
                                         : before.path(i).compare(now.path(j));
    if (order < 0) {
      differs(before.path(i), before.state(i), true);
    } else if (order > 0) {
      differs(now.path(j), now.state(j), true);
    } else if (before.state(i) != now.state(j)) {
      const bool other_kind = (before.state(i).mode ^ now.state(j).mode) & S_IFMT;
      differs(now.path(j), S_ISDIR(now.state(j).mode) ? before.state(i) : now.state(j), other_kind);
    }
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  auto& listings = changes.listings;
  std::sort(listings.begin(), listings.end());
  listings.erase(std::unique(listings.begin(), listings.end()), listings.end());
  return changes;
}

}  // namespace lode
