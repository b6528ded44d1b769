#include "workspace/mime_database.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "workspace/root.h"

namespace lode {
namespace {

constexpr std::size_t kMaxFile = 16UL * 1024 * 1024;

std::string read_text(const std::string& path) {
  OpenFile file;
  file.descriptor = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.descriptor.get() < 0 || ::fstat(file.descriptor.get(), &file.info) != 0) return {};
  auto text = read_all(file, kMaxFile);
  return text ? std::move(*text) : std::string();
}

// The text up to the separator, which goes too.
std::string_view next(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const auto piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

}  // namespace

struct MimeDatabase::Best {
  int weight = -1;
  std::size_t length = 0;
  std::vector<std::string_view> types;
};

MimeDatabase::MimeDatabase(const std::string& directory)
    : globs_text_(read_text(directory + "/globs2")),
      kinds_text_(read_text(directory + "/subclasses")) {
  for (std::string_view text = globs_text_; !text.empty();) add_glob(next(text, '\n'));
  // Stable: among equals the database's order stays.
  const auto by_pattern = [](const Glob& a, const Glob& b) { return a.pattern < b.pattern; };
  std::stable_sort(names_.begin(), names_.end(), by_pattern);
  std::stable_sort(suffixes_.begin(), suffixes_.end(), by_pattern);
  for (std::string_view text = kinds_text_; !text.empty();) {
    auto line = next(text, '\n');
    const auto type = next(line, ' ');
    kinds_.emplace_back(type, line);
  }
  std::sort(kinds_.begin(), kinds_.end());
}

// weight:type:pattern, then perhaps flags.
void MimeDatabase::add_glob(std::string_view line) {
  if (line.starts_with('#')) return;
  Glob glob;
  const auto weight = next(line, ':');
  std::from_chars(weight.data(), weight.data() + weight.size(), glob.weight);
  glob.type = next(line, ':');
  glob.pattern = next(line, ':');
  glob.exact_case = next(line, ':').find("cs") != std::string_view::npos;
  if (glob.pattern.empty() || glob.type.empty()) return;
  const auto special = glob.pattern.find_first_of("*?[", 1);
  if (special != std::string_view::npos || glob.pattern[0] == '[' || glob.pattern[0] == '?') {
    others_.push_back(glob);
  } else if (glob.pattern[0] == '*') {
    glob.pattern.remove_prefix(1);
    suffixes_.push_back(glob);
  } else {
    names_.push_back(glob);
  }
}

void MimeDatabase::consider(const Glob& glob, std::size_t length, bool folded, Best& best) {
  if (folded && glob.exact_case) return;
  if (std::pair(glob.weight, length) < std::pair(best.weight, best.length)) return;
  if (std::pair(glob.weight, length) > std::pair(best.weight, best.length)) best.types.clear();
  best.weight = glob.weight;
  best.length = length;
  auto& types = best.types;
  if (std::find(types.begin(), types.end(), glob.type) == types.end()) types.push_back(glob.type);
}

void MimeDatabase::consider_equal(const std::vector<Glob>& globs, std::string_view text,
                                  bool folded, Best& best) {
  auto at = std::lower_bound(
      globs.begin(), globs.end(), text,
      [](const Glob& glob, std::string_view wanted) { return glob.pattern < wanted; });
  for (; at != globs.end() && at->pattern == text; ++at) consider(*at, text.size(), folded, best);
}

std::vector<std::string_view> MimeDatabase::types_of_name(std::string_view name,
                                                          bool folded) const {
  Best best;
  consider_equal(names_, name, folded, best);
  return best.types;
}

std::vector<std::string_view> MimeDatabase::types_of_pattern(std::string_view name,
                                                             bool folded) const {
  Best best;
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    consider_equal(suffixes_, name.substr(begin), folded, best);
  }
  const std::string text(name);
  for (const Glob& glob : others_) {
    if (::fnmatch(std::string(glob.pattern).c_str(), text.c_str(), 0) == 0) {
      consider(glob, glob.pattern.size(), folded, best);
    }
  }
  return best.types;
}

bool MimeDatabase::textual(std::string_view type) const {
  std::vector<std::string_view> open = {type};
  std::set<std::string_view> seen;
  while (!open.empty()) {
    const auto one = open.back();
    open.pop_back();
    if (one.starts_with("text/") || one.ends_with("+json") || one.ends_with("+xml") ||
        one.ends_with("+yaml")) {
      return true;
    }
    if (!seen.insert(one).second) continue;
    auto at = std::lower_bound(kinds_.begin(), kinds_.end(), std::pair(one, std::string_view()));
    for (; at != kinds_.end() && at->first == one; ++at) open.push_back(at->second);
  }
  return false;
}

}  // namespace lode
