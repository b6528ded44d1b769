#include "providers/files/tool_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "base/whole_number.h"

namespace lode {
namespace {

constexpr std::string_view kFindExample =
    R"({"pattern": "*.{h,cc}", "content": "parse(", "path": "src", "context": 2})";
constexpr std::string_view kEditExample =
    R"({"operation": "replace", "path": "src/a.cc", "old": "int n;", "new": "int n = 0;"})";

std::string text_in(const JsonObject& arguments, std::string_view name) {
  const auto* value = arguments.if_contains(name);
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? "" : std::string(text->data(), text->size());
}

bool flag_in(const JsonObject& arguments, std::string_view name) {
  const auto* value = arguments.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

struct Range {
  std::size_t least;
  std::size_t most;
  std::size_t unless_given;
};

Result<std::size_t> number_in(const JsonObject& arguments, std::string_view name, Range range) {
  const auto* value = arguments.if_contains(name);
  if (value == nullptr) return range.unless_given;
  return whole_number(*value, name, range.least, range.most);
}

Error teach(std::string_view what, std::string_view example) {
  return invalid(fmt::format("{}. Example: {}", what, example));
}

// There are no others than the schema has.
Status check_names(const Tool& tool, const JsonObject& arguments, std::string_view example) {
  std::vector<std::string_view> known;
  for (const auto& property : tool.input_schema.at("properties").as_object()) {
    known.emplace_back(property.key().data(), property.key().size());
  }
  for (const auto& argument : arguments) {
    const std::string_view name(argument.key().data(), argument.key().size());
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return teach(
          fmt::format("{} has no argument \"{}\"{}", tool.name, name, did_you_mean(name, known)),
          example);
    }
  }
  return {};
}

JsonObject described(std::string_view type, std::string_view description) {
  return {{"type", type}, {"description", description}};
}

}  // namespace

Tool find_files_tool() {
  const JsonObject flag{{"type", "boolean"}};
  Tool tool;
  tool.name = "find_files";
  tool.description =
      "Files by glob, lines by content. Give pattern, content or path; what git ignores is left "
      "out";
  tool.input_schema =
      JsonObject{{"type", "object"},
                 {"properties",
                  JsonObject{{"pattern", described("string", "glob; without / at any depth")},
                             {"exclude", described("string", "globs, comma-separated")},
                             {"path", described("string", "where to begin")},
                             {"content", described("string", "text, or RE2 with regex")},
                             {"regex", flag},
                             {"ignore_case", flag},
                             {"context", described("integer", "lines around a match, at most 10")},
                             {"limit", described("integer", "default 100, at most 1000")},
                             {"ignored", described("boolean", "also what git ignores")}}}};
  tool.hints = ToolHints{true, false, true, false};
  return tool;
}

Tool file_ops_tool() {
  const JsonObject text{{"type", "string"}};
  const JsonObject flag{{"type", "boolean"}};
  Tool tool;
  tool.name = "file_ops";
  tool.description =
      "Replace old by new in a file; old must be there exactly once. Answers with the diff";
  tool.input_schema = JsonObject{
      {"type", "object"},
      {"properties",
       JsonObject{
           {"operation", JsonObject{{"enum", JsonArray{"replace"}}}},
           {"path", text},
           {"old", text},
           {"new", text},
           {"whitespace", JsonObject{{"enum", JsonArray{"exact", "flexible"}},
                                     {"description", "flexible: any white space matches any"}}},
           {"dry_run", flag},
           {"backup", described("boolean", "keep the old file as NAME.bak")}}},
      {"required", JsonArray{"operation", "path", "old", "new"}}};
  tool.hints = ToolHints{false, true, false, false};
  return tool;
}

Result<FindQuery> find_query(const JsonObject& arguments, const FileToolLimits& limits) {
  static const Tool kTool = find_files_tool();
  if (auto known = check_names(kTool, arguments, kFindExample); !known) {
    return std::move(known).error();
  }
  FindQuery query;
  query.pattern = text_in(arguments, "pattern");
  query.exclude = text_in(arguments, "exclude");
  query.path = text_in(arguments, "path");
  query.with_ignored = flag_in(arguments, "ignored");
  Needle needle{text_in(arguments, "content"), flag_in(arguments, "regex"),
                flag_in(arguments, "ignore_case")};
  if (query.pattern.empty() && query.path.empty() && needle.text.empty()) {
    return teach("find_files needs \"pattern\", \"content\" or \"path\"", kFindExample);
  }
  if (!needle.text.empty()) query.content = std::move(needle);
  auto context = number_in(arguments, "context", {0, limits.most_context, 0});
  if (!context) return std::move(context).error();
  auto limit = number_in(arguments, "limit", {1, limits.most_results, limits.results});
  if (!limit) return std::move(limit).error();
  query.context = *context;
  query.limit = *limit;
  return query;
}

Result<FileEdit> file_edit(const JsonObject& arguments) {
  static const Tool kTool = file_ops_tool();
  if (auto known = check_names(kTool, arguments, kEditExample); !known) {
    return std::move(known).error();
  }
  FileEdit edit;
  edit.path = text_in(arguments, "path");
  if (edit.path.empty()) return teach("file_ops needs \"path\"", kEditExample);
  edit.old = text_in(arguments, "old");
  edit.fresh = text_in(arguments, "new");
  edit.whitespace =
      text_in(arguments, "whitespace") == "flexible" ? Whitespace::flexible : Whitespace::exact;
  edit.dry_run = flag_in(arguments, "dry_run");
  edit.backup = flag_in(arguments, "backup");
  return edit;
}

}  // namespace lode
