#include "providers/capability/transfer/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/nearest.h"
#include "base/uri.h"
#include "providers/capability/manage_arguments.h"
#include "providers/capability/transfer/export.h"
#include "providers/capability/transfer/import.h"
#include "workspace/secrets.h"

namespace lode {
namespace {

constexpr std::size_t kMostTold = 100;  // files, in the answer
constexpr const char* kImport = R"({"operation":"import","path":"old/portfolio","dry_run":true})";
constexpr const char* kExport =
    R"({"operation":"export","path":"out","format":"dollhouse","type":"persona"})";

Error teach(std::string_view what, std::string_view example) {
  return invalid(fmt::format("{}. Example: {}", what, example));
}

Error no_such_directory(std::string_view path) {
  return not_found(fmt::format("no such directory: {}", path));
}

// A directory inside the workspace, below it.
Result<std::string> path_in(const JsonObject& arguments, const std::string& workspace,
                            const SecretRules& secrets, std::string_view example) {
  const auto* given = arguments.at("path").if_string();
  if (given == nullptr) return teach("\"path\" is to be a string", example);
  const std::filesystem::path path{std::string_view(*given)};
  const auto below =
      (path.is_absolute() ? path.lexically_relative(workspace) : path).lexically_normal();
  auto text = below.generic_string();
  while (text.ends_with('/')) text.pop_back();
  if (text.empty() || text == "." || text == ".." || text.starts_with("../")) {
    return teach(
        "\"path\" is a directory inside the workspace, and not the workspace itself; "
        "for others there are the commands lode import and lode export",
        example);
  }
  // Hidden and absent look the same.
  if (secrets.hides(text)) return no_such_directory(text);
  return text;
}

Result<std::optional<TransferFormat>> format_in(const JsonObject& arguments,
                                                std::string_view example) {
  const auto* given = arguments.if_contains("format");
  if (given == nullptr) return std::optional<TransferFormat>();
  const auto* word = given->if_string();
  if (word == nullptr) return teach("\"format\" is to be a string", example);
  const std::string_view name(word->data(), word->size());
  if (const auto format = find_transfer_format(name)) return std::optional(*format);
  return teach(fmt::format("\"{}\" is no format{}; there are {}", name,
                           did_you_mean(name, kTransferFormats), fmt::join(kTransferFormats, ", ")),
               example);
}

Result<bool> flag_in(const JsonObject& arguments, std::string_view name, std::string_view example) {
  const auto* given = arguments.if_contains(name);
  if (given == nullptr) return false;
  if (const auto* flag = given->if_bool()) return *flag;
  return teach(fmt::format("\"{}\" is to be true or false", name), example);
}

// The files below a directory of the workspace, at their own addresses.
TransferAdmission admission(const ElementGate& gate, Action action, const SecretRules& secrets,
                            const std::string& workspace, const std::string& below) {
  return [&gate, &secrets, action, &workspace, &below](std::string_view path) {
    const auto file = fmt::format("{}/{}", below, path);
    const auto address = file_uri(workspace + "/" + file);
    return !secrets.hides(file) && gate.permits(action, address);
  };
}

bool has_some(const SourceTree& source, const TransferAdmission& reads) {
  const auto files = source.files();
  return files && std::any_of(files->begin(), files->end(),
                              [&](const SourceFile& file) { return reads(file.path); });
}

struct Flags {
  bool dry_run = false;
  bool replace = false;
};
Result<Flags> flags_in(const JsonObject& arguments, std::string_view example) {
  const auto dry_run = flag_in(arguments, "dry_run", example);
  if (!dry_run) return dry_run.error();
  const auto replace = flag_in(arguments, "replace", example);
  if (!replace) return replace.error();
  return Flags{*dry_run, *replace};
}

Contents say(const TransferReport& report) {
  Contents contents;
  contents.items.push_back(Content::text(to_text(report.json(kMostTold))));
  return contents;
}

bool is_written(const Moved& moved) {
  return moved.fate == Fate::kept || moved.fate == Fate::mended;
}

Result<Contents> run_import(Collection& collection, const ImportRequest::Keep& keep,
                            const std::string& workspace, const ElementGate& gate,
                            const JsonObject& arguments) {
  auto path = path_in(arguments, workspace, collection.folders().secrets, kImport);
  if (!path) return std::move(path).error();
  auto format = format_in(arguments, kImport);
  if (!format) return std::move(format).error();
  auto flags = flags_in(arguments, kImport);
  if (!flags) return std::move(flags).error();
  const auto scope = arguments.contains("scope") ? text_in(arguments, "scope") : "workspace";
  if (scope != "workspace" && scope != "user") {
    return teach(fmt::format("\"scope\" is workspace or user, not \"{}\"", scope), kImport);
  }
  auto source = SourceTree::open(workspace, *path);
  if (!source) return std::move(source).error();
  const bool here = scope == "workspace";
  const auto& folders = collection.folders();
  const auto reads = admission(gate, Action::read, folders.secrets, workspace, *path);
  if (!gate.permits(Action::read, file_uri(workspace + "/" + *path)) && !has_some(*source, reads)) {
    return no_such_directory(*path);
  }
  auto report = import_elements({*source, *format, here ? folders.workspace : folders.user, here,
                                 flags->dry_run, flags->replace, reads, keep},
                                gate);
  if (!report) return std::move(report).error();
  for (const auto& moved : report->moved) {
    if (!flags->dry_run && is_written(moved)) collection.refresh(here, moved.to);
  }
  return say(*report);
}

Result<Contents> run_export(Collection& collection, const std::string& workspace,
                            const ElementGate& gate, const JsonObject& arguments) {
  auto path = path_in(arguments, workspace, collection.folders().secrets, kExport);
  if (!path) return std::move(path).error();
  if (*path == ".lode" || path->starts_with(".lode/")) {
    return teach(".lode is Lode's own; name another directory", kExport);
  }
  auto format = format_in(arguments, kExport);
  if (!format) return std::move(format).error();
  auto flags = flags_in(arguments, kExport);
  if (!flags) return std::move(flags).error();
  std::optional<ElementType> type;
  if (arguments.contains("type")) {
    auto given = type_in(arguments);
    if (!given) return std::move(given).error();
    type = *given;
  }
  std::vector<std::string> only;
  if (arguments.contains("id")) only.push_back(text_in(arguments, "id"));
  auto report = export_elements(
      {collection, workspace, *path, **format, type, std::move(only), flags->dry_run,
       flags->replace,
       admission(gate, Action::write, collection.folders().secrets, workspace, *path), true},
      gate);
  if (!report) return std::move(report).error();
  return say(*report);
}

}  // namespace

void add_transfer(ElementManager& manager, Collection& collection, const std::string& workspace) {
  manager.add({"import", "path", "format scope dry_run replace", kImport,
               [&collection, workspace, keep = manager.keeper()](const ElementGate& gate,
                                                                 const JsonObject& arguments) {
                 return run_import(collection, keep, workspace, gate, arguments);
               }});
  manager.add({"export", "path format", "type id dry_run replace", kExport,
               [&collection, workspace](const ElementGate& gate, const JsonObject& arguments) {
                 return run_export(collection, workspace, gate, arguments);
               }});
}

}  // namespace lode
