#include "providers/code/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/nearest.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 9> kAspects{"ast",     "diagnostics", "exports",
                                                   "imports", "query",       "references",
                                                   "source",  "structure",   "symbols"};
constexpr std::array<std::string_view, 7> kParameters{
    "compact", "max_depth", "use_symbol_table", "include_semantic_hash", "expr", "symbol", "lines"};

constexpr std::uint32_t kDeepest = 1000;

Result<Aspect> parse_aspect(std::string_view word) {
  const auto found = std::ranges::find(kAspects, word);
  if (found != kAspects.end()) return static_cast<Aspect>(found - kAspects.begin());
  return invalid(fmt::format("there is no aspect \"{}\"{}: resource://file/PATH/ASPECT has {}",
                             word, did_you_mean(word, kAspects), fmt::join(kAspects, ", ")));
}

Result<bool> parse_bool(std::string_view name, std::string_view value) {
  if (value == "true" || value == "1" || value.empty()) return true;
  if (value == "false" || value == "0") return false;
  return invalid(fmt::format("\"{}\" is true or false", name));
}

Result<std::uint32_t> parse_depth(std::string_view value) {
  std::uint32_t depth = 0;
  const auto* const end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, depth);
  if (read.ec == std::errc() && read.ptr == end && depth <= kDeepest) return depth;
  return invalid(fmt::format("\"max_depth\" is a whole number from 0 to {}", kDeepest));
}

Status set_parameter(CodeAddress& address, const std::string& name, std::string value) {
  if (name == "expr")
    address.expr = std::move(value);
  else if (name == "symbol")
    address.symbol = std::move(value);
  else if (name == "lines")
    address.lines = std::move(value);
  else if (name == "max_depth") {
    auto depth = parse_depth(value);
    if (!depth) return std::move(depth).error();
    address.ast.max_depth = *depth;
  } else {
    auto flag = parse_bool(name, value);
    if (!flag) return std::move(flag).error();
    if (name == "compact") address.compact = address.ast.compact = *flag;
    if (name == "use_symbol_table") address.ast.use_symbol_table = *flag;
    if (name == "include_semantic_hash") address.ast.include_semantic_hash = *flag;
  }
  return {};
}

Status read_parameters(CodeAddress& parsed, const Address& address) {
  for (const auto& name : address.extra()) {
    if (std::ranges::find(kParameters, name) != kParameters.end()) continue;  // given twice
    return invalid(fmt::format("there is no parameter \"{}\"{}: there are {}", name,
                               did_you_mean(name, kParameters), fmt::join(kParameters, ", ")));
  }
  for (const auto name : kParameters) {
    const auto* value = address.find(name);
    if (value == nullptr) continue;
    if (auto set = set_parameter(parsed, std::string(name), *value); !set) return set;
  }
  return {};
}

const UriTemplate& code_template() {
  static const UriTemplate kParsed = UriTemplate::parse(kCodeTemplate).value();
  return kParsed;
}

}  // namespace

std::string_view to_string(Aspect aspect) { return kAspects[static_cast<std::size_t>(aspect)]; }

// A slash that was written as %2F is in no file's name.
std::optional<std::string> code_path(const Uri& uri) {
  if (!decoded_path(uri)) return std::nullopt;
  auto match = code_template().match(uri.text());
  if (!match) return std::nullopt;
  return std::move(match->values.find("path")->second);
}

Result<CodeAddress> parse_code_address(const Address& address) {
  if (!decoded_path(address.uri())) return not_found("no such resource");
  auto aspect = parse_aspect(address.value("aspect"));
  if (!aspect) return std::move(aspect).error();
  CodeAddress parsed;
  parsed.aspect = *aspect;
  parsed.path = address.value("path");
  if (parsed.path.empty()) {
    return invalid(fmt::format("say of which file: resource://file/PATH/{}", to_string(*aspect)));
  }
  if (auto read = read_parameters(parsed, address); !read) return std::move(read).error();
  return parsed;
}

Result<CodeAddress> parse_code_address(const Uri& uri) {
  auto match = code_template().match(uri.text());
  if (!match) return not_found("no such resource");
  return parse_code_address(Address(uri, std::move(*match)));
}

Uri canonical_code_uri(const Uri& uri) {
  if (plain_path(uri.path())) return uri;
  const auto path = decoded_path(uri);
  if (!path) return uri;
  auto text = std::string(kCodeRoot.substr(0, kCodeRoot.size() - 1)) + encode_path(*path);
  if (uri.has_query()) text.append("?").append(uri.query());
  auto one = Uri::parse(text);
  return one ? *one : uri;
}

std::string code_uri(std::string_view path, Aspect aspect) {
  return fmt::format("{}{}/{}", kCodeRoot, encode_path(path), to_string(aspect));
}

std::string symbol_uri(std::string_view path, std::string_view symbol) {
  return code_uri(path, Aspect::source) + "?symbol=" + encode_component(symbol);
}

}  // namespace lode
