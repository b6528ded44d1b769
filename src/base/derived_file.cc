#include "base/derived_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/hash.h"

namespace lode {
namespace {

constexpr std::size_t kHashSize = 32;

std::string head_of(std::string_view format) { return fmt::format("lode {}\n", format); }

bool write_whole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

Error failure(std::string_view doing, const std::string& file) {
  return internal(fmt::format("{} {}: {}", doing, file, std::strerror(errno)));
}

}  // namespace

std::string seal(std::string_view format, std::string_view body) {
  return head_of(format).append(content_hash(body)).append(body);
}

Result<std::string_view> unseal(std::string_view format, std::string_view bytes) {
  const std::string head = head_of(format);
  if (!bytes.starts_with(head)) return invalid("it is of another version");
  bytes.remove_prefix(head.size());
  if (bytes.size() < kHashSize) return invalid("it is damaged");
  const auto body = bytes.substr(kHashSize);
  if (bytes.substr(0, kHashSize) != content_hash(body)) return invalid("it is damaged");
  return body;
}

Status write_derived(const std::string& file, std::string_view bytes) {
  // Two programs may write at once: each has a file of its own.
  std::string draft = file + ".XXXXXX";
  const Descriptor out(::mkostemp(draft.data(), O_CLOEXEC));
  if (!out.is_open()) return failure("creating", draft);
  if (!write_whole(out.get(), bytes) || std::rename(draft.c_str(), file.c_str()) != 0) {
    Error error = failure("writing", file);
    ::unlink(draft.c_str());
    return error;
  }
  return {};
}

Result<Buffer> read_derived(const std::string& file, std::size_t most) {
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!in.is_open() && errno == ENOENT) return not_found(fmt::format("no file {}", file));
  struct stat info {};
  if (!in.is_open() || ::fstat(in.get(), &info) != 0) return failure("opening", file);
  if (!S_ISREG(info.st_mode) || std::cmp_greater(info.st_size, most)) {
    return invalid(fmt::format("{} is none of ours", file));
  }
  auto bytes = Buffer::of_file(in, static_cast<std::size_t>(info.st_size));
  if (!bytes) return std::move(bytes).error().in(file);
  return bytes;
}

}  // namespace lode
