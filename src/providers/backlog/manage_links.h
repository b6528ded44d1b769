// References that mean the same on every machine. Pure but for the functions that it is made
// of; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lode {

class TaskLinks {
 public:
  // The path of a file in mcp://backlog/resources/{+path}; nothing: it is in no root.
  using ResourcePath = std::function<std::optional<std::string>(std::string_view absolute)>;

  // backlog: the directory, absolute.
  TaskLinks(std::string backlog, ResourcePath resource_path)
      : backlog_(std::move(backlog)), resource_path_(std::move(resource_path)) {}

  // An address of Lode's for a file:/// address or an absolute path of a file that Lode
  // serves; anything else as it is.
  std::string portable(const std::string& url) const;
  // Whether it is a path or an address that other machines do not have.
  static bool is_machine_specific(std::string_view url);
  // What a text has of such, with what would be right where that is known: "file:///w/a.md
  // (mcp://backlog/resources/a.md)". At most a few.
  std::vector<std::string> machine_specific_in(std::string_view text) const;

 private:
  std::string backlog_;
  ResourcePath resource_path_;
};

}  // namespace lode
