#include "workspace/snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include "workspace/root.h"

namespace lode {
namespace {

// The file: magic, version, checksum of what follows; then, each a varint, the
// flags, the count, and for each path how much it shares with the one before,
// how much it adds, those bytes, and its state.
constexpr std::string_view kMagic = "lodesnap";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeader = 8 + 4 + 8;
constexpr std::size_t kMaxFile = 1024UL * 1024 * 1024;

// FNV-1a: it guards against damage, not against malice.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

void put(std::string& out, std::uint64_t value) {
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  out += static_cast<char>(value);
}

void put_signed(std::string& out, std::int64_t value) {
  put(out, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

template <class T>
void put_fixed(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

// Reads what put() wrote; after a failure everything is zero and ok() false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto piece = take(1);
      if (!ok_) return 0;
      const auto byte = static_cast<unsigned char>(piece[0]);
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
    ok_ = false;
    return 0;
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }
  std::string_view take(std::uint64_t n) {
    ok_ = ok_ && n <= bytes_.size();
    if (!ok_) return {};
    const auto piece = bytes_.substr(0, n);
    bytes_.remove_prefix(n);
    return piece;
  }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

std::string_view parent_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

Error cannot(std::string_view what, const std::string& file) {
  return internal(fmt::format("{} {}: {}", what, file, std::strerror(errno)));
}

bool write_whole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
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
  put(out, complete_ ? 1 : 0);
  put(out, entries_.size());
  std::string_view last;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto name = path(i);
    const auto [differs, other] = std::mismatch(name.begin(), name.end(), last.begin(), last.end());
    const auto shared = static_cast<std::size_t>(differs - name.begin());
    put(out, shared);
    put(out, name.size() - shared);
    out += name.substr(shared);
    put_signed(out, state(i).size);
    put_signed(out, state(i).mtime_ns);
    put(out, state(i).inode);
    put(out, state(i).mode);
    last = name;
  }
  return out;
}

Result<Snapshot> Snapshot::decoded(std::string_view bytes) {
  Reader reader(bytes);
  Snapshot snapshot;
  snapshot.complete_ = reader.number() == 1;
  const std::uint64_t count = reader.number();
  std::string name;
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    const std::uint64_t shared = reader.number();
    if (shared > name.size()) return invalid("damaged");
    name.resize(shared);
    name += reader.take(reader.number());
    FileState state;
    state.size = reader.signed_number();
    state.mtime_ns = reader.signed_number();
    state.inode = reader.number();
    state.mode = static_cast<std::uint32_t>(reader.number());
    if (!snapshot.add(name, state)) return invalid("damaged");
  }
  if (!reader.ok() || !reader.at_end()) return invalid("damaged");
  return snapshot;
}

Status Snapshot::save(const std::string& file) const {
  const std::string body = encoded();
  std::string bytes(kMagic);
  put_fixed(bytes, kVersion);
  put_fixed(bytes, checksum(body));
  bytes += body;
  // Two programs may save at once: each writes a file of its own.
  std::string draft = file + ".XXXXXX";
  const Descriptor out(::mkostemp(draft.data(), O_CLOEXEC));
  if (out.get() < 0) return cannot("writing", draft);
  if (!write_whole(out.get(), bytes) || std::rename(draft.c_str(), file.c_str()) != 0) {
    Error error = cannot("writing", file);
    ::unlink(draft.c_str());
    return error;
  }
  return {};
}

Result<Snapshot> Snapshot::load(const std::string& file) {
  OpenFile in;
  in.descriptor = Descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.descriptor.get() < 0 || ::fstat(in.descriptor.get(), &in.info) != 0) {
    return not_found(fmt::format("no snapshot {}", file));
  }
  auto bytes = read_all(in, kMaxFile);
  if (!bytes) return invalid(fmt::format("{}: {}", file, bytes.error().message));
  std::string head(kMagic);
  put_fixed(head, kVersion);
  if (!bytes->starts_with(head)) return invalid(fmt::format("{} is no snapshot of ours", file));
  const std::string_view body = std::string_view(*bytes).substr(std::min(kHeader, bytes->size()));
  put_fixed(head, checksum(body));
  if (!bytes->starts_with(head)) return invalid(fmt::format("{} is damaged", file));
  return decoded(body);
}

Changes diff(const Snapshot& before, const Snapshot& now) {
  Changes changes;
  const auto differs = [&](std::string_view path, const FileState& state, bool listed) {
    if (!S_ISDIR(state.mode)) changes.paths.emplace_back(path);
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
