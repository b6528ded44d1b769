#include "providers/code/tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/nearest.h"
#include "base/utf8.h"
#include "base/whole_number.h"
#include "providers/code/aspects.h"
#include "syntax/text.h"
#include "workspace/path_choice.h"

namespace lode {
namespace {

constexpr std::size_t kDefaultLimit = 100;
constexpr std::size_t kProgressEvery = 64;
constexpr std::chrono::milliseconds kSpare{500};  // of the time, to answer in

Tool make_tool() {
  const JsonObject text{{"type", "string"}};
  Tool tool;
  tool.name = "ast_analyze";
  tool.description =
      "Run a tree-sitter query over many files: (function_definition name: (identifier) @name). "
      "For one file read resource://file/PATH/query?expr=…";
  tool.input_schema = JsonObject{
      {"type", "object"},
      {"properties",
       JsonObject{{"query", text},
                  {"pattern", JsonObject{{"type", "string"}, {"description", "glob: *.ts"}}},
                  {"path", JsonObject{{"type", "string"}, {"description", "directory"}}},
                  {"language", text},
                  {"limit", JsonObject{{"type", "integer"}, {"minimum", 1}}}}},
      {"required", JsonArray{"query"}}};
  tool.hints = ToolHints{true, false, true, false};
  return tool;
}

std::shared_ptr<const Manifest> make_manifest() {
  Manifest manifest;
  manifest.name = "code-tools";
  manifest.tools = {make_tool()};
  return std::make_shared<const Manifest>(std::move(manifest));
}

std::string text_of(const JsonObject& arguments, std::string_view name) {
  const auto* value = arguments.if_contains(name);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

struct Wanted {
  std::string query;
  std::string path;
  PathChoice choice;
  const Language* language = nullptr;  // null: any
  std::size_t limit = kDefaultLimit;
};

Result<Wanted> parse_arguments(const JsonObject& arguments, std::size_t most) {
  Wanted wanted;
  wanted.query = text_of(arguments, "query");
  wanted.path = text_of(arguments, "path");
  auto choice = PathChoice::parse(text_of(arguments, "pattern"), "");
  if (!choice) return std::move(choice).error();
  wanted.choice = std::move(*choice);
  if (const auto id = text_of(arguments, "language"); !id.empty()) {
    wanted.language = find_language(id);
    if (wanted.language == nullptr) {
      std::vector<std::string_view> ids;
      for (const auto& language : languages()) ids.push_back(language.id);
      return invalid(fmt::format("there is no language \"{}\"{}: there are {}", id,
                                 did_you_mean(id, ids), fmt::join(ids, ", ")));
    }
  }
  if (const auto* limit = arguments.if_contains("limit")) {
    auto count = whole_number(*limit, "limit", 1);
    if (!count) return std::move(count).error();
    wanted.limit = std::min(*count, most);
  }
  return wanted;
}

// One run over the files of a caller.
class Analysis {
 public:
  Analysis(const Syntax& syntax, const SourceFiles& files, Wanted wanted, std::size_t text_bytes)
      : syntax_(syntax), files_(files), wanted_(std::move(wanted)), text_bytes_(text_bytes) {}

  Result<std::string> run(const Exchange& exchange) {
    auto paths = files_.below(wanted_.path);
    if (!paths) return std::move(paths).error();
    std::erase_if(*paths, [&](const std::string& path) { return !is_wanted(path); });
    for (std::size_t i = 0; i < paths->size() && ended_.empty(); ++i) {
      if (i % kProgressEvery == 0) {
        exchange.progress.report(static_cast<double>(i), static_cast<double>(paths->size()), "");
      }
      if (exchange.stop.stop_requested()) return Error{Code::cancelled, "stopped", {}};
      if (std::chrono::steady_clock::now() >= exchange.deadline - kSpare) {
        ended_ = fmt::format("the time was up after {} of {} files: give a path or a pattern", i,
                             paths->size());
        break;
      }
      look_into((*paths)[i]);
    }
    // A query that no language understands is the caller's mistake.
    if (looked_at_ == 0 && !refused_.empty()) return refused_.begin()->second;
    return answer();
  }

 private:
  bool is_wanted(const std::string& path) const {
    const auto begin = wanted_.path.empty() ? 0 : wanted_.path.size() + 1;
    if (!wanted_.choice.takes(path, begin)) return false;
    const auto* language = language_of(path, "");
    return language != nullptr && (wanted_.language == nullptr || language == wanted_.language);
  }

  void look_into(const std::string& path) {
    const auto text = files_.read(path);
    const auto* language = text ? language_of(path, text->bytes) : nullptr;
    if (language == nullptr || refused_.contains(language)) return;
    if (wanted_.language != nullptr && language != wanted_.language) return;
    const auto found = syntax_.query(*language, text->bytes, wanted_.query);
    if (!found && found.error().code == Code::invalid) {
      refused_.emplace(language, found.error());
      return;
    }
    ++looked_at_;
    if (!found) {
      ++unreadable_;
      return;
    }
    if (!found->captures.empty()) add(path, *found);
    if (!found->incomplete.empty())
      notes_ += fmt::format("{}: {}\n", visible(path), found->incomplete);
  }

  void add(const std::string& path, const QueryAnswer& found) {
    ++with_matches_;
    lines_ += visible(path) + "\n";
    for (const auto& capture : found.captures) {
      if (captures_ == wanted_.limit) {
        ended_ = fmt::format("limit={} is reached: give a larger one, a path or a pattern",
                             wanted_.limit);
        return;
      }
      ++captures_;
      const auto shown = cut_text(visible(on_one_line(capture.text)), text_bytes_);
      lines_ +=
          fmt::format("  {} @{} {}\n", range_of(capture.span), found.names[capture.name], shown);
    }
  }

  std::string answer() const {
    auto text = lines_ + notes_;
    text += fmt::format("{} captures in {} of {} files", captures_, with_matches_, looked_at_);
    if (unreadable_ > 0) text += fmt::format("; {} cannot be parsed", unreadable_);
    for (const auto& [language, error] : refused_) {
      text += fmt::format("; not asked of {}: {}", language->name, error.message);
    }
    if (!ended_.empty()) text += "; " + ended_;
    return text + "\n";
  }

  const Syntax& syntax_;
  const SourceFiles& files_;
  const Wanted wanted_;
  const std::size_t text_bytes_;
  std::map<const Language*, Error> refused_;  // the query does not fit
  std::string lines_;
  std::string notes_;
  std::string ended_;  // why before the last file
  std::size_t captures_ = 0;
  std::size_t with_matches_ = 0;
  std::size_t looked_at_ = 0;
  std::size_t unreadable_ = 0;
};

}  // namespace

CodeTool::CodeTool(const Workspace& workspace, const Syntax& syntax)
    : CodeTool(workspace, syntax, Limits()) {}
CodeTool::CodeTool(const Workspace& workspace, const Syntax& syntax, const Limits& limits)
    : workspace_(workspace), syntax_(syntax), limits_(limits), manifest_(make_manifest()) {}

Result<Outcome> CodeTool::call(const Exchange& exchange, std::string_view, const Json& arguments) {
  const GuestTasks tasks(exchange.who.guest());
  auto wanted = parse_arguments(arguments.as_object(), limits_.captures);
  if (!wanted) return std::move(wanted).error();
  if (!wanted->path.empty()) {
    const auto place = find_place(workspace_, wanted->path);
    if (!place) return not_found(fmt::format("no such directory: {}", wanted->path));
    wanted->path = workspace_.short_name(*place);
  }
  const SourceFiles files(workspace_, limits_.file_bytes, exchange);
  auto text = Analysis(syntax_, files, std::move(*wanted), limits_.text_bytes).run(exchange);
  if (!text) return std::move(text).error();
  Contents contents;
  contents.items.push_back(Content::text(std::move(*text)));
  return contents;
}

}  // namespace lode
