#include "providers/code/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "providers/code/aspects.h"
#include "providers/code/import_paths.h"
#include "providers/code/references.h"
#include "syntax/text.h"

namespace lode {
namespace {

constexpr std::string_view kJson = "application/json";

// Whether an answer is made of other files too.
bool of_all_files(Aspect aspect) {
  return aspect == Aspect::references || aspect == Aspect::imports || aspect == Aspect::exports;
}

std::string why_unsupported(const CodeAddress& address, const Error& error) {
  return fmt::format("{} cannot be parsed: {}", address.path, error.message);
}

// What can be said of a file that has no outline.
std::string plain_answer(const CodeAddress& address, std::string_view text, std::string_view why) {
  switch (address.aspect) {
    case Aspect::structure: return plain_structure(address.path, text, why);
    case Aspect::symbols: return plain_symbols(why);
    default: return unsupported_answer(why);
  }
}

bool cannot_be_parsed(const Error& error) {
  return error.code == Code::unsupported || error.code == Code::timeout;
}

std::string_view mime_of(Aspect aspect) {
  return aspect == Aspect::structure ? "text/markdown" : kJson;
}

}  // namespace

CodeProvider::CodeProvider(Parts parts) : CodeProvider(std::move(parts), Limits()) {}
CodeProvider::CodeProvider(Parts parts, const Limits& limits)
    : parts_(std::move(parts)),
      limits_(limits),
      manifest_(std::make_shared<const Manifest>(make_manifest())) {}

Manifest CodeProvider::make_manifest() {
  const auto answer = [this](const Exchange& exchange, const Address& address) {
    return read(exchange, address);
  };
  Manifest manifest;
  manifest.name = "code";
  manifest.families = {{std::string(kCodeRoot)}};
  manifest.routes = {{{std::string(kCodeTemplate), "code", "",
                       "A source file's aspect: symbols, structure, imports, exports, source (of "
                       "symbol= or lines=), "
                       "references (to symbol=), diagnostics, ast, query (expr=)",
                       ""},
                      answer},
                     {{std::string(kBareAspectTemplate), "", "", "", ""}, answer, false}};
  return manifest;
}

std::optional<FileBehind> CodeProvider::file_behind(const Uri& uri) const {
  const auto path = code_path(uri);
  const auto place = path ? parts_.workspace.find_short(*path) : std::nullopt;
  if (!place) return std::nullopt;
  return FileBehind{Workspace::absolute(*place), true};
}

// Every file has these addresses: none is worth naming before the others.
Result<Page<Entry>> CodeProvider::list(const Exchange&, const ListQuery&) {
  return Page<Entry>{{}, "", Freshness{}};
}

std::optional<std::string> CodeProvider::local_path(const Uri& uri) const {
  const auto path = code_path(uri);
  const auto place = path ? parts_.workspace.find_short(*path) : std::nullopt;
  if (!place || !parts_.workspace.open(*place)) return std::nullopt;
  return Workspace::absolute(*place);
}

SourceFiles CodeProvider::files_of(const Exchange& exchange) const {
  return {parts_.workspace, limits_.file_bytes, exchange};
}

// ---- reading ----

Result<Outcome> CodeProvider::read(const Exchange& exchange, const Address& asked) const {
  const GuestTasks tasks(exchange.who.guest());
  auto address = parse_code_address(asked);
  if (!address) return std::move(address).error();
  const auto place = parts_.workspace.find_short(address->path);
  const auto revision = parts_.revision();
  auto text = files_of(exchange).read(address->path);
  if (!text) return std::move(text).error();
  auto made = content(exchange, *address, *text);
  if (!made) return std::move(made).error();
  made->uri = asked.uri().text();
  made->modified = text->modified;
  made->version = content_hash(made->bytes);
  made->origin = kOfWorkspace;
  Contents contents;
  const bool all = of_all_files(address->aspect);
  const auto whole_stamp = [all](std::uint64_t file, std::uint64_t now) {
    return all ? file ^ (now << 20U) : file;
  };
  contents.stamp = whole_stamp(text->stamp, revision);
  contents.stamp_now = [place = *place, now = parts_.revision, whole_stamp] {
    return whole_stamp(place.tree->root.stamp(place.relative), now());
  };
  if (all && revision == 0) contents.ttl = std::chrono::milliseconds(0);
  contents.files = {file_uri(text->real)};
  const bool whole = address->aspect == Aspect::source && !address->symbol && !address->lines;
  if (!whole) contents.whole_bytes = text->bytes.size();
  contents.items.push_back(std::move(*made));
  return contents;
}

Result<Content> CodeProvider::content(const Exchange& exchange, const CodeAddress& address,
                                      const SourceText& text) const {
  const auto* language = language_of(address.path, text.bytes);
  if (address.aspect == Aspect::source) return source(address, text.bytes, language);
  Content content;
  content.mime = mime_of(address.aspect);
  if (language == nullptr) {
    content.bytes = plain_answer(address, text.bytes,
                                 fmt::format("there is no grammar for files like {}",
                                             address.path.substr(address.path.rfind('/') + 1)));
    return content;
  }
  auto made = json(exchange, address, text.bytes, *language);
  if (!made && !cannot_be_parsed(made.error())) return std::move(made).error();
  content.bytes = made ? std::move(*made)
                       : plain_answer(address, text.bytes, why_unsupported(address, made.error()));
  return content;
}

Result<std::string> CodeProvider::json(const Exchange& exchange, const CodeAddress& address,
                                       std::string_view text, const Language& language) const {
  if (address.aspect == Aspect::ast) {
    auto tree = parts_.syntax.ast(language, text, address.ast);
    if (!tree) return std::move(tree).error();
    return ast_answer(std::move(*tree));
  }
  if (address.aspect == Aspect::query) {
    if (address.expr.empty()) {
      return invalid("say what to look for: …/query?expr=(function_declaration)%20@function");
    }
    auto found = parts_.syntax.query(language, text, address.expr);
    if (!found) return std::move(found).error();
    return query_answer(*found, language);
  }
  auto outline = parts_.outlines.of(language, text);
  if (!outline) return std::move(outline).error();
  if (address.aspect == Aspect::references) return references(exchange, address, *outline);
  const auto files = files_of(exchange);
  const ImportPlaces places{
      [&](const std::string& path, bool directory) { return files.stands(path, directory); },
      [&](const std::string& path) {
        auto read = files.read(path);
        return read ? std::move(read->bytes) : std::string();
      }};
  const auto file_of = [&](const Import& import) {
    return resolve_import(language, address.path, import, places);
  };
  switch (address.aspect) {
    case Aspect::imports: return imports_answer(*outline, file_of);
    case Aspect::exports: return exports_answer(*outline, file_of);
    case Aspect::diagnostics: return diagnostics_answer(*outline);
    case Aspect::structure: return structure(*outline, address.path);
    default:
      return symbols_answer(*outline, address.compact ? SymbolsShape::small : SymbolsShape::whole);
  }
}

Result<std::string> CodeProvider::references(const Exchange& exchange, const CodeAddress& address,
                                             const Outline& outline) const {
  if (!address.symbol) return invalid("say to what: …/references?symbol=Class.method");
  auto symbol = find_symbol(outline, *address.symbol);
  if (!symbol) return std::move(symbol).error();
  const auto files = files_of(exchange);
  auto found = ReferenceSearch(files, parts_.outlines, parts_.syntax, exchange)
                   .run(address.path, outline, **symbol);
  if (!found) return std::move(found).error();
  return references_answer(*found, *outline.language, outline.path(**symbol));
}

// The text alone, so that a symbol never costs a whole file.
Result<Content> CodeProvider::source(const CodeAddress& address, std::string_view text,
                                     const Language* language) const {
  if (address.symbol && address.lines) return invalid("give symbol or lines, not both");
  if (auto status = check_text(text); !status) {
    return std::move(status).error().in(address.path);
  }
  std::string_view piece = text;
  if (address.lines) {
    auto lines = lines_of(text, *address.lines);
    if (!lines) return std::move(lines).error();
    piece = *lines;
  } else if (address.symbol) {
    if (language == nullptr) {
      return Error{
          Code::unsupported,
          fmt::format("{}: without a grammar there are no symbols; give lines=10-40", address.path),
          {}};
    }
    const auto outline = parts_.outlines.of(*language, text);
    if (!outline) return outline.error();
    const auto symbol = find_symbol(*outline, *address.symbol);
    if (!symbol) return symbol.error();
    // From the beginning of its line, so that what is indented together stays so.
    const auto begin = text.rfind('\n', (*symbol)->span.begin) + 1;
    const auto indent = text.substr(begin, (*symbol)->span.begin - begin);
    const bool alone = indent.find_first_not_of(" \t") == indent.npos;
    const auto from = alone ? begin : (*symbol)->span.begin;
    piece = text.substr(from, (*symbol)->span.end - from);
  }
  Content content = Content::text(std::string(piece));
  content.mime = "text/plain";
  return content;
}

// ---- completion ----

// The address is none yet, as long as it has no aspect: the engine cannot ask about it.
Completions CodeProvider::complete_path(const Exchange& exchange,
                                        const CompletionQuery& query) const {
  const std::string& typed = query.value;
  const bool whole = query.context.contains("aspect");
  Completions found;
  const auto slash = typed.rfind('/');
  const auto directory = slash == typed.npos ? std::string() : typed.substr(0, slash);
  const auto begin = slash == typed.npos ? typed : typed.substr(slash + 1);
  if (directory.empty() && parts_.workspace.trees().size() > 1) {
    for (const auto& tree : parts_.workspace.trees()) {
      const bool refused = exchange.refuses(Action::complete, tree.root.path(), true);
      if (!refused && tree.name.starts_with(begin)) found.values.push_back(tree.name);
    }
    return found;
  }
  const auto place = parts_.workspace.find_short(directory);
  const auto opened = place ? parts_.workspace.open_real(*place) : not_found("");
  if (!opened || exchange.refuses(Action::complete, Workspace::absolute(opened->real), true)) {
    return found;
  }
  const auto names = parts_.workspace.names(*opened);
  if (!names) return found;
  for (const auto& name : *names) {
    if (!name.starts_with(begin)) continue;
    auto path = join_path(directory, name);
    const auto file = parts_.workspace.find_short(path);
    const auto uri = Uri::parse(std::string(kCodeRoot) + encode_path(path));
    if (!file || !uri) continue;
    const FileBehind behind{Workspace::absolute(*file), true};
    if (whole || exchange.offers(Action::complete, *uri, behind)) {
      found.values.push_back(std::move(path));
    }
  }
  return found;
}

Completions CodeProvider::complete_symbol(const Exchange& exchange,
                                          const CompletionQuery& query) const {
  Completions found;
  const auto* path = query.context.if_contains("path");
  if (path == nullptr || !path->is_string()) return found;
  const std::string name(path->get_string());
  const auto text = files_of(exchange).read(name);
  const auto* language = text ? language_of(name, text->bytes) : nullptr;
  if (language == nullptr) return found;
  const auto outline = parts_.outlines.of(*language, text->bytes);
  if (!outline) return found;
  auto selectors = symbol_selectors(*outline);
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const bool begins =
        selectors[i].starts_with(query.value) || outline->symbols[i].name.starts_with(query.value);
    if (begins) found.values.push_back(std::move(selectors[i]));
  }
  return found;
}

Result<Completions> CodeProvider::complete(const Exchange& exchange, const CompletionQuery& query) {
  const GuestTasks tasks(exchange.who.guest());
  if (query.name != kCodeTemplate) return Completions{};
  if (query.argument == "path") return complete_path(exchange, query);
  if (query.argument == "symbol") return complete_symbol(exchange, query);
  Completions found;
  if (query.argument == "aspect") {
    for (int i = 0; i <= static_cast<int>(Aspect::symbols); ++i) {
      found.values.emplace_back(to_string(static_cast<Aspect>(i)));
    }
  } else if (query.argument == "compact" || query.argument == "use_symbol_table" ||
             query.argument == "include_semantic_hash") {
    found.values = {"true", "false"};
  }
  std::erase_if(found.values,
                [&](const std::string& value) { return !value.starts_with(query.value); });
  return found;
}

// ---- changes ----

Status CodeProvider::watchable(const Uri& uri) const {
  const auto address = parse_code_address(uri);
  if (!address) return address.error();
  const auto place = parts_.workspace.find_short(address->path);
  if (!place || Workspace::is_followed(*place)) return {};
  return Error{Code::unsupported, std::string(kNotFollowed), {}};
}

// What is made of all files changes by those that the caller may read.
void CodeProvider::publish(const Workspace::Tree& tree, const Changes& changes,
                           Events& events) const {
  std::vector<Cause> files;
  for (const auto& name : ChangedNames(changes).below("")) {
    files.push_back({"", {Workspace::absolute(tree, name), true}, true});
  }
  for (const auto& uri : watched_.all()) {
    const auto address = parse_code_address(uri);
    const auto place = address ? parts_.workspace.find_short(address->path) : std::nullopt;
    if (!place) continue;
    const bool all = of_all_files(address->aspect);
    const bool concerned =
        all ? touches(changes, "") : place->tree == &tree && touches(changes, place->relative);
    if (!concerned) continue;
    events.publish({Change::Kind::resource,
                    std::string(uri.text()),
                    {},
                    all ? files : std::vector<Cause>(),
                    !all});
  }
}

}  // namespace lode
