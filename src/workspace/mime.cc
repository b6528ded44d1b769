#include "workspace/mime.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/utf8.h"
#include "workspace/root.h"

namespace lode {
namespace {

struct Known {
  std::string_view extension;
  std::string_view type;
  bool text = true;
};

constexpr std::array kKnown = std::to_array<Known>({
    {"c", "text/x-csrc"},
    {"cc", "text/x-c++src"},
    {"cjs", "text/javascript"},
    {"cpp", "text/x-c++src"},
    {"css", "text/css"},
    {"csv", "text/csv"},
    {"cts", "text/typescript"},
    {"gif", "image/gif", false},
    {"h", "text/x-chdr"},
    {"htm", "text/html"},
    {"html", "text/html"},
    {"jpeg", "image/jpeg", false},
    {"jpg", "image/jpeg", false},
    {"js", "text/javascript"},
    {"json", "application/json"},
    {"jsx", "text/jsx"},
    {"markdown", "text/markdown"},
    {"md", "text/markdown"},
    {"mjs", "text/javascript"},
    {"mts", "text/typescript"},
    {"pdf", "application/pdf", false},
    {"png", "image/png", false},
    {"py", "text/x-python"},
    {"sh", "application/x-shellscript"},
    {"svg", "image/svg+xml"},
    {"toml", "application/toml"},
    {"ts", "text/typescript"},
    {"tsx", "text/tsx"},
    {"txt", "text/plain"},
    {"yaml", "application/yaml"},
    {"yml", "application/yaml"},
});

const Known* find_known(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const auto extension = name.substr(dot + 1);
  const auto* at = std::find_if(kKnown.begin(), kKnown.end(),
                                [&](const Known& known) { return known.extension == extension; });
  return at == kKnown.end() ? nullptr : at;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  return out;
}

bool is_text(std::string_view head) {
  if (head.find('\0') != std::string_view::npos) return false;
  if (valid_utf8(head)) return true;
  // The last character may be cut off: a first byte and up to two that follow.
  for (std::size_t cut = 1; cut <= 3 && cut <= head.size(); ++cut) {
    const auto byte = static_cast<unsigned char>(head[head.size() - cut]);
    if (byte >= 0xC0) return valid_utf8(head.substr(0, head.size() - cut));
  }
  return false;
}

bool announces_itself(std::string_view head) {
  return head.starts_with("#!") || head.find_first_of("<{[%") == 0;
}

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

// ---- the database ----

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

// ---- types ----

bool MimeTypes::textual(std::string_view type) const {
  const auto* known = std::find_if(kKnown.begin(), kKnown.end(),
                                   [&](const Known& one) { return one.type == type; });
  return known != kKnown.end() ? known->text : database_.textual(type);
}

std::vector<std::string_view> MimeTypes::by_name(std::string_view name) const {
  const std::string folded = lower(name);
  const std::array<std::string_view, 2> spellings = {name, folded};
  for (const auto one : spellings) {
    auto types = database_.types_of_name(one, one != name);
    if (!types.empty()) return types;
  }
  for (const auto one : spellings) {
    auto types = database_.types_of_pattern(one, one != name);
    if (const Known* known = find_known(one)) types.insert(types.begin(), known->type);
    if (!types.empty()) return types;
  }
  return {};
}

std::string MimeTypes::by_content(std::string_view head, bool text) {
  std::string found;
  if (!text || announces_itself(head)) found = magic_.type(head);
  if (found.empty()) found = text ? kTextType : kBinaryType;
  return found;
}

std::string MimeTypes::type(std::string_view name, std::string_view head) {
  const auto types = by_name(name.substr(name.rfind('/') + 1));
  if (head.empty()) return std::string(types.empty() ? kTextType : types.front());
  const bool text = is_text(head);
  const auto first_that_is = [&](bool wanted) {
    return std::find_if(types.begin(), types.end(),
                        [&](std::string_view type) { return textual(type) == wanted; });
  };
  if (const auto agrees = first_that_is(text); agrees != types.end()) return std::string(*agrees);
  std::string found = by_content(head, text);
  // Text in an older encoding is text, as its name says.
  const auto agrees = first_that_is(textual(found));
  const bool older = !text && textual(found) && agrees != types.end();
  return older ? std::string(*agrees) : found;
}

std::string mime_type(std::string_view name, std::string_view head) {
  static MimeTypes types("/usr/share/mime", "libmagic.so.1");
  return types.type(name, head);
}

}  // namespace lode
