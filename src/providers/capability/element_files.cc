#include "providers/capability/element_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "follow/open_folder.h"
#include "providers/capability/collection.h"
#include "store/durable_file.h"
#include "store/private_directory.h"
#include "workspace/workspace.h"
#include "workspace/write_rule.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenTries = 20ms;

Error denied(std::string message) { return {Code::denied, std::move(message), {}}; }
Error conflict(std::string message) { return {Code::conflict, std::move(message), {}}; }

std::string_view parent(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

Status lock_folder(const OpenFile& folder, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (::flock(folder.descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    // Where there are no locks, the stamps alone must do.
    if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return {};
    if (std::chrono::steady_clock::now() > until) {
      return Error{Code::unavailable, "another process is changing elements; try again", 1000ms};
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
  return {};
}

// Of a name in a directory; 0: there is none.
std::uint64_t stamp_in(const OpenFile& directory, const std::string& name) {
  struct stat info {};
  const int found = ::fstatat(directory.descriptor.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW);
  return found == 0 ? stamp_of(info) : 0;
}

}  // namespace

// The user's folder may be wherever the user's links lead.
Result<ElementFiles::Place> ElementFiles::place_of(const std::string& folder, bool of_workspace) {
  if (of_workspace) {
    const auto holder = parent(folder);
    const std::string above(parent(holder));
    auto base = Root::open(above.empty() ? "/" : above);
    if (!base) return std::move(base).error();
    const auto skipped = above.size() + 1;
    return Place{std::move(*base), folder.substr(std::min(skipped, folder.size())), true};
  }
  if (auto made = open_private_directory(folder); !made) return std::move(made).error();
  auto base = Root::open(folder);
  if (!base) return std::move(base).error();
  return Place{std::move(*base), "", true};
}

std::string last_segment(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

Result<ElementFiles> ElementFiles::open(const std::string& folder, bool of_workspace,
                                        std::chrono::milliseconds patience) {
  if (folder.empty()) {
    return Error{Code::unsupported,
                 fmt::format("there is no folder for elements of the {}",
                             of_workspace ? "workspace" : "user"),
                 {}};
  }
  auto place = place_of(folder, of_workspace);
  if (!place) return std::move(place).error();
  return open(std::move(*place), patience);
}

Result<ElementFiles> ElementFiles::open(Place place, std::chrono::milliseconds patience) {
  auto opened = open_folder(place.base, place.prefix, true);
  if (!opened) return std::move(opened).error();
  if (auto locked = lock_folder(*opened, patience); !locked) return std::move(locked).error();
  return ElementFiles(std::move(place), std::move(*opened));
}

Result<ElementFiles> ElementFiles::open_below(const std::string& base, std::string below,
                                              std::chrono::milliseconds patience) {
  auto root = Root::open(base);
  if (!root) return std::move(root).error();
  return open(Place{std::move(*root), std::move(below), false}, patience);
}

std::string ElementFiles::below_base(std::string_view file) const {
  if (place_.prefix.empty() || file.empty())
    return place_.prefix.empty() ? std::string(file) : place_.prefix;
  return fmt::format("{}/{}", place_.prefix, file);
}

Result<OpenFile> ElementFiles::directory_of(const std::string& file, bool make) const {
  return open_folder(place_.base, below_base(parent(file)), make);
}

Result<ElementFiles::Snapshot> ElementFiles::read(const std::string& file) const {
  return read(file, Collection::kFileBytes);
}

Result<ElementFiles::Snapshot> ElementFiles::read(const std::string& file, std::size_t most) const {
  auto opened = place_.base.open_without_links(below_base(file));
  if (!opened || !opened->is_regular()) {
    if (place_.base.open_inside(below_base(file))) {
      return denied(fmt::format("{} is behind a link, and nothing is written through links", file));
    }
    return not_found(fmt::format("{} has gone", file));
  }
  auto text = read_all(*opened, most);
  if (!text) return std::move(text).error().in(file);
  return Snapshot{std::move(*text), stamp_of(opened->info), modified_of(opened->info)};
}

bool ElementFiles::exists(const std::string& file) const {
  const auto directory = directory_of(file, false);
  return directory && stamp_in(*directory, last_segment(file)) != 0;
}

Status ElementFiles::create(const std::string& file, std::string_view text, mode_t mode) const {
  return write(file, text, 0, mode);
}

Status ElementFiles::replace(const std::string& file, std::string_view text,
                             std::uint64_t stamp) const {
  return write(file, text, stamp, 0666);
}

Status ElementFiles::check_file(const std::string& file) const {
  const auto& base = place_.base.path();
  if (!place_.is_ours) return check_write(base, below_base(file));
  return check_write(place_.prefix.empty() ? base : join_path(base, place_.prefix), file);
}

Status ElementFiles::write(const std::string& file, std::string_view text, std::uint64_t stamp,
                           mode_t mode) const {
  if (auto may = check_file(file); !may) return may;
  auto directory = directory_of(file, stamp == 0);
  if (!directory) return std::move(directory).error();
  const auto name = last_segment(file);
  const auto unchanged = [&]() -> Status {
    if (stamp_in(*directory, name) == stamp) return {};
    return stamp == 0 ? conflict(fmt::format("the file {} is there already", file))
                      : conflict(fmt::format("{} was changed by somebody else meanwhile; nothing "
                                             "was written. Look at it and try again",
                                             file));
  };
  if (auto same = unchanged(); !same) return same;
  auto written = write_durably(directory->descriptor.get(), name, text, mode, unchanged);
  if (!written && written.error().code != Code::conflict) {
    return std::move(written).error().in(fmt::format("writing {}", file));
  }
  return written;
}

}  // namespace lode
