#include "engine/catalog.h"

#include <fmt/format.h>

#include <algorithm>

namespace lode {
namespace {

constexpr std::size_t kNameLength = 64;  // what every client accepts

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

bool good_name(std::string_view name) {
  return !name.empty() && name.size() <= kNameLength &&
         std::all_of(name.begin(), name.end(), name_character);
}

bool object_schema(const Json& schema) {
  const auto* object = schema.if_object();
  const auto* type = object == nullptr ? nullptr : object->if_contains("type");
  return type != nullptr && type->is_string() && type->get_string() == "object";
}

Result<ToolRoute> route_of(Provider& provider, const Tool& tool) {
  if (!good_name(tool.name)) {
    return invalid(fmt::format("the name of tool \"{}\" is not 1 to {} of A-Z a-z 0-9 _ - .",
                               tool.name, kNameLength));
  }
  if (!object_schema(tool.input_schema)) {
    return invalid(fmt::format("tool {}: the input schema's type is not \"object\"", tool.name));
  }
  auto input = JsonSchema::compile(tool.input_schema);
  if (!input) return std::move(input).error().in("input schema of tool " + tool.name);
  ToolRoute route{&provider, &tool, std::move(*input), std::nullopt};
  if (tool.output_schema) {
    auto output = JsonSchema::compile(*tool.output_schema);
    if (!output) return std::move(output).error().in("output schema of tool " + tool.name);
    route.output = std::move(*output);
  }
  return route;
}

}  // namespace

Result<Catalog::Root> Catalog::Root::parse(std::string_view text, Provider* provider) {
  if (text.ends_with(':')) return Root{std::string(text.substr(0, text.size() - 1)), {}, provider};
  auto uri = Uri::parse(text);
  if (!uri) return std::move(uri).error().in(text);
  return Root{"", std::move(*uri), provider};
}

bool Catalog::Root::holds(const Uri& address) const {
  return uri ? address.within(*uri) : address.scheme() == scheme;
}

Status Catalog::check(const Manifest& manifest) const {
  if (!good_name(manifest.name)) return invalid("a provider needs a name of letters and digits");
  for (const auto& other : providers_) {
    if (other->manifest().name == manifest.name) {
      return invalid(fmt::format("two providers have the name {}", manifest.name));
    }
  }
  for (const auto& entry : manifest.templates) {
    if (auto parsed = UriTemplate::parse(entry.uri_template); !parsed) {
      return std::move(parsed).error().in("template " + entry.uri_template);
    }
    if (find_template(entry.uri_template) != nullptr) {
      return invalid(fmt::format("two providers have the template {}", entry.uri_template));
    }
  }
  for (const auto& prompt : manifest.prompts) {
    if (prompt.name.empty()) return invalid("a prompt needs a name");
    if (find_prompt(prompt.name)) {
      return invalid(fmt::format("two prompts have the name {}", prompt.name));
    }
  }
  return {};
}

Status Catalog::add_tools(Provider& provider,
                          std::map<std::string, ToolRoute, std::less<>>& tools) const {
  for (const auto& tool : provider.manifest().tools) {
    auto route = route_of(provider, tool);
    if (!route) return std::move(route).error();
    if (find_tool(tool.name) != nullptr || !tools.emplace(tool.name, std::move(*route)).second) {
      return invalid(fmt::format("two tools have the name {}", tool.name));
    }
  }
  return {};
}

Status Catalog::add(std::unique_ptr<Provider> provider) {
  const Manifest& manifest = provider->manifest();
  const std::string doing = "adding provider " + manifest.name;
  if (auto status = check(manifest); !status) return std::move(status).error().in(doing);

  std::vector<Root> roots;
  for (const auto& text : manifest.roots) {
    auto root = Root::parse(text, provider.get());
    if (!root) return std::move(root).error().in(doing);
    const auto same = [&](const Root& r) { return r.scheme == root->scheme && r.uri == root->uri; };
    if (std::any_of(roots_.begin(), roots_.end(), same)) {
      return invalid("another provider owns " + text).in(doing);
    }
    roots.push_back(std::move(*root));
  }
  std::map<std::string, ToolRoute, std::less<>> tools;
  if (auto status = add_tools(*provider, tools); !status) {
    return std::move(status).error().in(doing);
  }

  tools_.merge(tools);
  for (const auto& entry : manifest.templates) {
    templates_.emplace(entry.uri_template, provider.get());
  }
  std::move(roots.begin(), roots.end(), std::back_inserter(roots_));
  std::stable_sort(roots_.begin(), roots_.end(),
                   [](const Root& a, const Root& b) { return a.length() > b.length(); });
  providers_.push_back(std::move(provider));
  return {};
}

Provider* Catalog::find(const Uri& uri) const {
  for (const auto& root : roots_) {
    if (root.holds(uri)) return root.provider;
  }
  return nullptr;
}

const ToolRoute* Catalog::find_tool(std::string_view name) const {
  auto found = tools_.find(name);
  return found == tools_.end() ? nullptr : &found->second;
}

std::optional<PromptRoute> Catalog::find_prompt(std::string_view name) const {
  for (const auto& provider : providers_) {
    if (auto prompt = provider->find_prompt(name)) return PromptRoute{provider.get(), *prompt};
  }
  return std::nullopt;
}

Provider* Catalog::find_template(std::string_view uri_template) const {
  auto found = templates_.find(uri_template);
  return found == templates_.end() ? nullptr : found->second;
}

}  // namespace lode
