#include "cli/trust.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/descriptor.h"
#include "base/json.h"
#include "base/sha256.h"
#include "cli/state_dir.h"
#include "store/durable_file.h"
#include "store/private_directory.h"
#include "workspace/root.h"

namespace lode {
namespace {

namespace fs = std::filesystem;
using State = WorkspaceFile::State;

constexpr const char* kRecord = "trust.json";
constexpr std::size_t kRecordBytes = 64 * 1024;

bool can_be_trusted(const WorkspaceFile& file) {
  return file.state == State::absent || file.state == State::read;
}

// The name of a file's contents; "absent" is that of no file.
std::string digest_of(const WorkspaceFile& file) {
  return file.state == State::absent ? "absent" : "sha256:" + sha256_hex(file.text);
}

std::string real(const std::string& path) {
  std::error_code failed;
  auto found = fs::weakly_canonical(path, failed);
  return failed ? "" : found.string();
}

bool lies_in(const std::string& path, const std::string& directory) {
  return directory == "/" || path == directory || path.starts_with(directory + "/");
}

// The state directory. Its name has a hash that is short; the record says the whole
// path.
Result<std::string> place_of(const Environment& environment, const std::string& workspace) {
  auto directory = state_dir(environment, workspace);
  if (!directory) return directory;
  if (lies_in(real(*directory), real(workspace))) {
    return invalid(fmt::format(
        "the state directory {} is inside the workspace, which could bring its own; set "
        "XDG_STATE_HOME to a directory outside",
        *directory));
  }
  return directory;
}

// What the record must say, byte by byte.
std::string record_of(const std::string& workspace, const WorkspaceFiles& files) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("workspace", real(workspace));
  w.member("lode.toml", digest_of(files.config)).member("policy.toml", digest_of(files.policy));
  w.end_object();
  return out + "\n";
}

// Nothing: there is none that only this user can have written.
std::optional<std::string> read_record(const std::string& directory) {
  const std::string path = directory + "/" + kRecord;
  OpenFile file;
  file.descriptor =
      Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.descriptor.is_open() || ::fstat(file.descriptor.get(), &file.info) != 0) {
    return std::nullopt;
  }
  const bool ours = file.info.st_uid == ::geteuid() && (file.info.st_mode & 0077U) == 0;
  if (!file.is_regular() || !ours) return std::nullopt;
  auto text = read_all(file, kRecordBytes);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

}  // namespace

Trust trust_in(const Environment& environment, const std::string& workspace,
               const WorkspaceFiles& files) {
  const auto directory = place_of(environment, workspace);
  const auto record = directory ? read_record(*directory) : std::nullopt;
  if (!record) return Trust::none;
  const bool same = can_be_trusted(files.config) && can_be_trusted(files.policy) &&
                    *record == record_of(workspace, files);
  return same ? Trust::holds : Trust::changed;
}

Status record_trust(const Environment& environment, const std::string& workspace,
                    const WorkspaceFiles& files) {
  for (const auto* file : {&files.config, &files.policy}) {
    if (!can_be_trusted(*file)) return invalid(fmt::format("{}: {}", file->path, file->problem));
  }
  auto directory = place_of(environment, workspace);
  if (!directory) return std::move(directory).error();
  if (auto made = make_state_dir(*directory); !made) return made;
  auto opened = open_private_directory(*directory);
  if (!opened) return std::move(opened).error();
  // One that is not ours alone would not count, and its permissions would be kept.
  ::unlinkat(opened->get(), kRecord, 0);
  return write_durably(opened->get(), kRecord, record_of(workspace, files), 0600);
}

Status revoke_trust(const Environment& environment, const std::string& workspace) {
  auto directory = state_dir(environment, workspace);
  if (!directory) return std::move(directory).error();
  const std::string path = *directory + "/" + kRecord;
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return {};
    return Error{Code::denied, fmt::format("{}: {}", path, std::strerror(errno)), {}};
  }
  auto opened = open_private_directory(*directory);
  return opened ? sync_directory(opened->get()) : Status(std::move(opened).error());
}

std::shared_ptr<const WorkspaceStanding::Now> WorkspaceStanding::look() {
  Now now{read_workspace_files(workspace_), Trust::none};
  now.trust = trust_in(environment_, workspace_, now.files);
  Lock lock(mutex_);
  if (!now_ || *now_ != now) now_ = std::make_shared<const Now>(std::move(now));
  return now_;
}

}  // namespace lode
