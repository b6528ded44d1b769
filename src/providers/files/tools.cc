#include "providers/files/tools.h"

#include <utility>

#include "providers/files/tool_arguments.h"

namespace lode {
namespace {

std::shared_ptr<const Manifest> make_manifest() {
  Manifest manifest;
  manifest.name = "file-tools";
  manifest.tools = {find_files_tool(), file_ops_tool()};
  return std::make_shared<const Manifest>(std::move(manifest));
}

Result<Outcome> told(Result<std::string> text) {
  if (!text) return std::move(text).error();
  Contents contents;
  contents.items.push_back(Content::text(std::move(*text)));
  return Outcome(std::move(contents));
}

}  // namespace

FileTools::FileTools(const Workspace& workspace, std::function<void(const std::string&)> wrote,
                     FileToolLimits limits)
    : limits_(limits),
      finder_(workspace, limits),
      editor_(workspace, std::move(wrote), limits),
      manifest_(make_manifest()) {}

Result<Outcome> FileTools::call(const Exchange& exchange, std::string_view tool,
                                const Json& arguments) {
  const FileGate gate(exchange);
  const auto* given = arguments.if_object();
  if (given == nullptr) return invalid("the arguments are no object");
  if (tool == "find_files") {
    auto query = find_query(*given, limits_);
    if (!query) return std::move(query).error();
    return told(finder_.find(exchange, gate, *query));
  }
  auto edit = file_edit(*given);
  if (!edit) return std::move(edit).error();
  return told(editor_.replace(exchange, gate, *edit));
}

}  // namespace lode
