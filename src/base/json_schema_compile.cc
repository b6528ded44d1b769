#include <fmt/format.h>

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>
#include <charconv>
#include <exception>
#include <optional>
#include <utility>

#include "base/json_schema_compiler.h"
#include "base/json_schema_value.h"

namespace lode::schema {
namespace {

// Where a document without an $id is taken to be, so that relative references
// inside it can be resolved.
constexpr std::string_view kDefaultBase = "schema:/";

constexpr std::string_view kDialect2020 = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view kDialect7 = "http://json-schema.org/draft-07/schema";

Error unsupported(std::string message) { return {Code::unsupported, std::move(message), {}}; }

const boost::json::string* string_member(const JsonObject& object, std::string_view name) {
  const Json* value = object.if_contains({name.data(), name.size()});
  return value == nullptr ? nullptr : value->if_string();
}

Status check_string(const JsonObject& object, std::string_view name, std::string_view location) {
  if (object.contains({name.data(), name.size()}) && string_member(object, name) == nullptr) {
    return invalid(fmt::format("{}/{}: must be a string", location, name));
  }
  return {};
}

// Which dialect a resource speaks: draft-07 or not.
Result<bool> is_draft7(const JsonObject& schema, bool inherited, std::string_view location) {
  const auto* text = string_member(schema, "$schema");
  if (text == nullptr) return inherited;
  std::string_view dialect = view(*text);
  if (dialect.ends_with('#')) dialect.remove_suffix(1);
  if (dialect == kDialect2020) return false;
  if (dialect == kDialect7 || dialect == "https://json-schema.org/draft-07/schema") return true;
  return unsupported(fmt::format(
      "{}/$schema: the dialect {} is not supported; supported are {} (the default) and {}#",
      location, shorten(dialect, 200), kDialect2020, kDialect7));
}

// The one wall around the URL library.
Result<std::string> resolve_uri(std::string_view base, std::string_view reference) try {
  const auto absolute = boost::urls::parse_uri({base.data(), base.size()});
  const auto relative = boost::urls::parse_uri_reference({reference.data(), reference.size()});
  if (!absolute || !relative) return invalid("not a URI reference");
  boost::urls::url out;
  if (!boost::urls::resolve(*absolute, *relative, out)) return invalid("cannot be resolved");
  out.normalize();
  return std::string(out.buffer().data(), out.buffer().size());
} catch (const std::exception& e) {
  return invalid(e.what());
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || read.ptr != digits.data() + 2) return std::nullopt;
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

std::string pointer_token(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '~' && i + 1 < text.size();
    if (escaped && text[i + 1] == '1') {
      out += '/';
    } else {
      out += text[i];
    }
    if (escaped) ++i;
  }
  return out;
}

const Json* child(const Json& parent, std::string_view token) {
  if (const auto* object = parent.if_object())
    return object->if_contains({token.data(), token.size()});
  const auto* array = parent.if_array();
  std::size_t index = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool whole = read.ec == std::errc() && read.ptr == token.data() + token.size();
  return array != nullptr && whole ? array->if_contains(index) : nullptr;
}

bool is_anchor(std::string_view name) {
  const auto letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto later = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), later);
}

}  // namespace

Compiler::Compiler(const SchemaLimits& limits) : program_(std::make_shared<Program>()) {
  program_->limits = limits;
}

Result<std::shared_ptr<const Program>> Compiler::run(const Json& schema) {
  auto resource = new_resource(std::string(kDefaultBase), schema, false);
  if (!resource) return std::move(resource).error();
  auto root = enter(schema, **resource, "#");
  if (!root) return std::move(root).error();
  program_->root = *root;
  while (!queue_.empty()) {
    if (auto status = drain(); !status) return std::move(status).error();
    for (const Reference& reference : std::exchange(references_, {})) {
      if (auto status = resolve(reference); !status) return std::move(status).error();
    }
  }
  return std::shared_ptr<const Program>(std::move(program_));
}

Status Compiler::drain() {
  while (!queue_.empty()) {
    const Place* place = queue_.back();
    queue_.pop_back();
    if (auto status = read_keywords(*this, *place); !status) return status;
  }
  return {};
}

Result<const Node*> Compiler::enter(const Json& at, Resource& parent, std::string location) {
  if (const auto known = places_.find(&at); known != places_.end()) return known->second.node;
  if (!at.is_object() && !at.is_bool()) {
    return invalid(location + ": a schema must be an object or a boolean");
  }
  if (program_->nodes.size() >= program_->limits.max_subschemas) {
    return unsupported(
        fmt::format("the schema has more than {} subschemas", program_->limits.max_subschemas));
  }
  Node& node = program_->nodes.emplace_back();
  Place& place =
      places_.emplace(&at, Place{&at, &node, &parent, std::move(location)}).first->second;
  if (auto status = identify(at, place); !status) return std::move(status).error();
  node.resource = place.resource;
  queue_.push_back(&place);
  return &node;
}

// Registers the names by which a schema may be referred to.
Status Compiler::identify(const Json& at, Place& place) {
  const auto* schema = at.if_object();
  if (schema == nullptr) return {};
  for (std::string_view name : {"$id", "$schema", "$ref", "$anchor", "$dynamicAnchor"}) {
    if (auto status = check_string(*schema, name, place.location); !status) return status;
  }
  if (auto status = name_resource(*schema, at, place); !status) return status;
  return place.resource->draft7 ? Status() : add_anchors(*schema, place);
}

Status Compiler::name_resource(const JsonObject& schema, const Json& at, Place& place) {
  const bool is_root = program_->root == nullptr && program_->nodes.size() == 1;
  const auto* id = string_member(schema, "$id");
  if (id == nullptr && !is_root) return {};
  auto draft7 = is_draft7(schema, place.resource->draft7, place.location);
  if (!draft7) return std::move(draft7).error();
  if (is_root) place.resource->draft7 = *draft7;
  // In draft-07 a $ref hides what stands beside it, and "#name" is an anchor.
  if (id == nullptr || (*draft7 && schema.contains("$ref"))) return {};
  std::string_view text = view(*id);
  if (*draft7 && text.size() > 1 && text[0] == '#') return add_anchor(place, text.substr(1));
  if (text.ends_with('#')) text.remove_suffix(1);
  if (text.find('#') != std::string_view::npos) {
    return invalid(place.location + "/$id: must have no fragment");
  }
  auto uri = resolve_uri(place.resource->uri, text);
  if (!uri) return std::move(uri).error().in(place.location + "/$id");
  if (is_root && *uri == place.resource->uri) return {};
  auto resource = new_resource(std::move(*uri), at, *draft7);
  if (!resource) return std::move(resource).error().in(place.location + "/$id");
  place.resource = *resource;
  return {};
}

Result<Resource*> Compiler::new_resource(std::string uri, const Json& at, bool draft7) {
  Resource& resource = program_->resources.emplace_back();
  resource.uri = uri;
  resource.draft7 = draft7;
  if (!resources_.emplace(std::move(uri), std::pair(&resource, &at)).second) {
    return invalid("two schemas have the same $id");
  }
  return &resource;
}

Status Compiler::add_anchors(const JsonObject& schema, const Place& place) {
  if (const auto* name = string_member(schema, "$anchor")) {
    if (auto status = add_anchor(place, view(*name)); !status) return status;
  }
  const auto* name = string_member(schema, "$dynamicAnchor");
  if (name == nullptr) return {};
  place.resource->dynamic_anchors.emplace(view(*name), place.node);
  return add_anchor(place, view(*name));
}

Status Compiler::add_anchor(const Place& place, std::string_view name) {
  if (!is_anchor(name)) {
    return invalid(
        fmt::format("{}: \"{}\" is not an anchor's name", place.location, shorten(name, 80)));
  }
  const auto added = anchors_.emplace(fmt::format("{}#{}", place.resource->uri, name), place.node);
  if (added.second || added.first->second == place.node) return {};
  return invalid(fmt::format("{}: two schemas have the anchor {}", place.location, name));
}

Result<const Pattern*> Compiler::pattern(std::string_view text) {
  const SchemaLimits& limits = program_->limits;
  if (const auto known = program_->patterns.find(text); known != program_->patterns.end()) {
    return &known->second;
  }
  if (text.size() > limits.max_pattern_length) {
    return unsupported(fmt::format("the pattern is longer than {} bytes: {}",
                                   limits.max_pattern_length, shorten(text, 80)));
  }
  if (program_->patterns.size() >= limits.max_patterns) {
    return unsupported(fmt::format("the schema has more than {} patterns", limits.max_patterns));
  }
  auto compiled = Pattern::compile(text, limits.max_pattern_memory);
  if (!compiled) return std::move(compiled).error();
  pattern_size_ += compiled->size();
  if (pattern_size_ > limits.max_pattern_size) {
    return unsupported(
        fmt::format("the patterns need more than {} instructions", limits.max_pattern_size));
  }
  return &program_->patterns.emplace(text, std::move(*compiled)).first->second;
}

void Compiler::refer(const Here& here, bool dynamic) {
  references_.push_back({&here.node, here.place.resource,
                         std::string(view(here.value.get_string())), here.location, dynamic});
}

Status Compiler::resolve(const Reference& reference) {
  std::string uri = reference.resource->uri;
  const std::string_view target = reference.target;
  const std::size_t hash = std::min(target.find('#'), target.size());
  if (hash > 0) {
    auto resolved = resolve_uri(uri, target.substr(0, hash));
    if (!resolved) return std::move(resolved).error().in(reference.location);
    uri = std::move(*resolved);
  }
  const auto fragment = percent_decoded(target.substr(std::min(hash + 1, target.size())));
  if (!fragment) return invalid(reference.location + ": a malformed fragment");
  auto node = find_target(reference, uri, *fragment);
  if (!node) return std::move(node).error();
  if (*node == nullptr) {
    return invalid(fmt::format("{}: \"{}\" leads nowhere in this document, and nothing is fetched",
                               reference.location, shorten(target, 200)));
  }
  (reference.dynamic ? reference.node->dynamic_ref : reference.node->ref) = *node;
  const auto& anchors = (*node)->resource->dynamic_anchors;
  const auto anchor = anchors.find(*fragment);
  const bool overridable = anchor != anchors.end() && anchor->second == *node;
  if (reference.dynamic && overridable) reference.node->dynamic_name = *fragment;
  return {};
}

// Null if there is no such place.
Result<const Node*> Compiler::find_target(const Reference& reference, std::string_view uri,
                                          std::string_view fragment) {
  const auto found = resources_.find(uri);
  if (found == resources_.end()) return nullptr;
  auto [resource, root] = found->second;
  if (fragment.empty() || fragment[0] == '/') {
    auto node = find_pointer(*root, *resource, fragment);
    if (!node) return std::move(node).error().in(reference.location);
    return node;
  }
  const auto anchor = anchors_.find(fmt::format("{}#{}", uri, fragment));
  return anchor == anchors_.end() ? nullptr : anchor->second;
}

Result<const Node*> Compiler::find_pointer(const Json& root, Resource& resource,
                                           std::string_view pointer) {
  const Json* at = &root;
  Resource* owner = &resource;
  std::string_view rest = pointer;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/', 1), rest.size());
    at = child(*at, pointer_token(rest.substr(1, end - 1)));
    if (at == nullptr) return nullptr;
    if (const auto place = places_.find(at); place != places_.end()) owner = place->second.resource;
    rest.remove_prefix(end);
  }
  return enter(*at, *owner, fmt::format("#{}", pointer));
}

Result<std::shared_ptr<const Program>> compile(const Json& schema, const SchemaLimits& limits) {
  return Compiler(limits).run(schema);
}

}  // namespace lode::schema
