#include "providers/files/tools.h"

#include <utility>

#include "providers/files/tool_arguments.h"

namespace lode {
namespace {

Manifest make_manifest() {
  Manifest manifest;
  manifest.name = "file-tools";
  manifest.tools = {find_files_tool(), file_ops_tool()};
  return manifest;
}

Result<Outcome> told(Result<std::string> text) {
  if (!text) return std::move(text).error();
  Contents contents;
  contents.items.push_back(Content::text(std::move(*text)));
  return Outcome(std::move(contents));
}

}  // namespace

FileTools::FileTools(const Workspace& workspace, Permits permits,
                     std::function<void(const std::string&)> wrote, FileToolLimits limits)
    : limits_(limits),
      finder_(workspace, limits),
      editor_(workspace, std::move(wrote), limits),
      permits_(std::move(permits)),
      manifest_(make_manifest()) {}

Result<Page<Entry>> FileTools::list(const Exchange&, const ListQuery&) { return Page<Entry>{}; }

Result<Outcome> FileTools::read(const Exchange&, const Uri&) {
  return not_found("no such resource");
}

Result<Outcome> FileTools::invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) {
  const FileGate gate(
      [&](Action action, const Uri& address) { return permits_(exchange.who, action, address); });
  const auto* given = arguments.if_object();
  if (given == nullptr) return invalid("the arguments are no object");
  if (name_of(uri) == "find_files") {
    auto query = find_query(*given, limits_);
    if (!query) return std::move(query).error();
    return told(finder_.find(exchange, gate, *query));
  }
  auto edit = file_edit(*given);
  if (!edit) return std::move(edit).error();
  return told(editor_.replace(exchange, gate, *edit));
}

}  // namespace lode
