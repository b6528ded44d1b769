// lode.toml. Input: the file.
//
//  - Any text is a configuration, or is refused with the file and the line.
//  - Every key has its value from the default or from a line of the file, and that
//    value, written as a flag, is read as the same.
//  - As the file of an untrusted workspace, any text is accepted, and sets no key but
//    workspace.hide.
#include "cli/config.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <variant>

#include "cli/config_keys.h"
#include "fuzz.h"

namespace lode::fuzz {
namespace {

// A file of that content, which has no name of its own.
class File {
 public:
  explicit File(std::string_view content) : descriptor_(::memfd_create("lode.toml", MFD_CLOEXEC)) {
    const auto written = ::write(descriptor_, content.data(), content.size());
    check(written == static_cast<ssize_t>(content.size()), "the file is written");
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  const int descriptor_;
};

void check_refusal(const Error& error, const std::string& path) {
  check(error.code == Code::invalid, "a wrong file is its writer's fault");
  check(error.message.starts_with(path), "a refusal names the file");
  auto rest = std::string_view(error.message).substr(path.size());
  check(rest.size() > 2 && rest[0] == ':' && rest[1] >= '1' && rest[1] <= '9', "and the line");
}

// In a flag commas separate, and blanks at the ends do not count.
bool fits_a_flag(const Config& config, const ConfigKey& key) {
  const auto* member = std::get_if<std::vector<std::string> Config::*>(&key.field);
  if (member == nullptr) return true;
  const auto& elements = config.*(*member);
  return std::none_of(elements.begin(), elements.end(), [](const std::string& element) {
    return element.empty() || element.find_first_of(", \t\r\n") != std::string::npos;
  });
}

void check_setting(const Config& config, const Setting& setting, std::size_t lines) {
  const auto& key = *setting.key;
  const bool from_file = setting.origin.kind == Origin::Kind::file;
  check(from_file || setting.origin.kind == Origin::Kind::fallback, "a value has its origin");
  check(!from_file || (setting.origin.line >= 1 && setting.origin.line <= lines),
        "which is a line of the file");
  if (!from_file || !fits_a_flag(config, key)) return;
  const auto again = load_config({.flags = {{key.flag(), {setting.text}}}});
  check(again.ok(), "a value can be given as a flag");
  check(again->setting(key.name).text == setting.text, "and is the same");
}

void check_untrusted(std::string_view input) {
  const auto config =
      load_config({.workspace = WorkspaceConfig{"lode.toml", std::string(input), false, {}}});
  check(config.ok(), "an untrusted file does not stop the program");
  for (const auto& setting : config->settings) {
    check(setting.origin.kind == Origin::Kind::fallback || setting.key->name == "workspace.hide",
          "and opens nothing");
  }
}

}  // namespace

void run(std::string_view input) {
  check_untrusted(input);
  const File file(input);
  const auto config = load_config({.user_file = file.path()});
  if (!config) return check_refusal(config.error(), file.path());
  check(config->settings.size() == config_keys().size(), "every key has a value");
  const auto lines = 1 + std::count(input.begin(), input.end(), '\n');
  for (const auto& setting : config->settings) {
    check_setting(*config, setting, static_cast<std::size_t>(lines));
  }
}

}  // namespace lode::fuzz
