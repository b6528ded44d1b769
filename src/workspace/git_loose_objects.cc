#include "workspace/git_loose_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "workspace/workspace.h"

namespace lode {
namespace {

struct LooseObjects : git_odb_backend {
  LooseObjects(const GitLibrary& library, const Root& base, std::string directory)
      : git_odb_backend(), git(library), root(base), objects(std::move(directory)) {}

  const GitLibrary& git;
  const Root& root;
  const std::string objects;
};

// What a file begins with: "commit 123" and a NUL.
struct Head {
  git_object_t type = GIT_OBJECT_INVALID;
  std::size_t size = 0;    // of what follows
  std::size_t length = 0;  // of the head
};

std::optional<Head> parse_head(std::string_view bytes) {
  constexpr std::array<std::pair<std::string_view, git_object_t>, 4> kTypes{
      {{"commit ", GIT_OBJECT_COMMIT},
       {"tree ", GIT_OBJECT_TREE},
       {"blob ", GIT_OBJECT_BLOB},
       {"tag ", GIT_OBJECT_TAG}}};
  const auto end = bytes.find('\0');
  if (end == bytes.npos) return std::nullopt;
  for (const auto& [word, type] : kTypes) {
    if (!bytes.starts_with(word)) continue;
    Head head{type, 0, end + 1};
    const auto read = std::from_chars(bytes.data() + word.size(), bytes.data() + end, head.size);
    const bool fits = head.size < std::numeric_limits<uInt>::max();
    if (read.ec == std::errc() && read.ptr == bytes.data() + end && fits) return head;
  }
  return std::nullopt;
}

// Bytes that are unpacked piece by piece.
class Unpacking {
 public:
  Unpacking(const GitLibrary& git, const std::string& packed) : git_(git) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    begun_ = git_.inflate_init(&stream_, ZLIB_VERSION, sizeof stream_) == Z_OK;
  }
  ~Unpacking() {
    if (begun_) git_.inflate_end(&stream_);
  }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  // How many bytes came; less than there is room for: it is the end, or damaged.
  std::size_t take(char* to, std::size_t room) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(room);
    int code = begun_ && !ended_ ? Z_OK : Z_DATA_ERROR;
    while (code == Z_OK && stream_.avail_out > 0) code = git_.inflate(&stream_, Z_NO_FLUSH);
    ended_ = ended_ || code == Z_STREAM_END;
    return room - stream_.avail_out;
  }
  bool ended() const { return ended_; }

 private:
  const GitLibrary& git_;
  z_stream stream_{};
  bool begun_ = false;
  bool ended_ = false;
};

// The bytes behind the head, exactly as many as it tells. One more is asked for than
// there may be, which also lets a whole stream come to its end.
bool fill(Unpacking& unpacking, std::string_view begun, char* data, std::size_t size) {
  if (begun.size() > size) return false;
  std::memcpy(data, begun.data(), begun.size());
  const auto rest = size - begun.size();
  const auto got = unpacking.take(data + begun.size(), rest + 1);
  data[size] = '\0';
  return got == rest && unpacking.ended();
}

int read_object(void** data, std::size_t* size, git_object_t* type, git_odb_backend* self,
                const git_oid* id) {
  const auto& files = *static_cast<const LooseObjects*>(self);
  std::array<char, GIT_OID_HEXSZ + 1> digits{};
  const std::string_view hex(files.git.oid_tostr(digits.data(), digits.size(), id));
  const auto path = fmt::format("{}/{}/{}", files.objects, hex.substr(0, 2), hex.substr(2));
  const auto file = files.root.open_without_links(path);
  if (!file || !file->is_regular()) return GIT_ENOTFOUND;
  const auto packed = read_all(*file, kMostLooseBytes);
  if (!packed) return GIT_ERROR;
  Unpacking unpacking(files.git, *packed);
  std::array<char, 64> first{};
  const std::string_view begun(first.data(), unpacking.take(first.data(), first.size()));
  const auto head = parse_head(begun);
  if (!head) return GIT_ERROR;
  auto* bytes = static_cast<char*>(files.git.odb_backend_data_alloc(self, head->size + 1));
  if (bytes == nullptr) return GIT_ERROR;
  if (!fill(unpacking, begun.substr(head->length), bytes, head->size)) {
    files.git.odb_backend_data_free(self, bytes);
    return GIT_ERROR;
  }
  *data = bytes;
  *size = head->size;
  *type = head->type;
  return 0;
}

// The one object whose id begins with so many digits of another.
int find_prefix(git_oid* found, git_odb_backend* self, const git_oid* begin, std::size_t digits) {
  const auto& files = *static_cast<const LooseObjects*>(self);
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  const std::string_view hex(files.git.oid_tostr(text.data(), text.size(), begin));
  const auto wanted = hex.substr(0, digits);
  if (wanted.size() < GIT_OID_MINPREFIXLEN) return GIT_EAMBIGUOUS;
  const std::string folder(wanted.substr(0, 2));
  const auto directory = files.root.open_without_links(files.objects + "/" + folder);
  if (!directory || !directory->is_directory()) return GIT_ENOTFOUND;
  const auto names = Root::names(*directory);
  if (!names) return GIT_ENOTFOUND;
  int matches = 0;
  for (auto at = std::ranges::lower_bound(*names, wanted.substr(2)); at != names->end(); ++at) {
    if (!at->starts_with(wanted.substr(2)) || matches > 1) break;
    const std::string id = folder + *at;
    if (id.size() == GIT_OID_HEXSZ && files.git.oid_fromstr(found, id.c_str()) == 0) ++matches;
  }
  if (matches == 0) return GIT_ENOTFOUND;
  return matches == 1 ? 0 : GIT_EAMBIGUOUS;
}

}  // namespace

git_odb_backend* make_git_loose_objects(const GitLibrary& git, const Root& root,
                                        std::string objects) {
  auto* files = new LooseObjects(git, root, std::move(objects));
  files->version = GIT_ODB_BACKEND_VERSION;
  files->read = read_object;
  files->exists_prefix = find_prefix;
  files->free = [](git_odb_backend* self) { delete static_cast<LooseObjects*>(self); };
  return files;
}

}  // namespace lode
