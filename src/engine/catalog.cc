#include "engine/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/catalog_changes.h"

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

Result<std::shared_ptr<const JsonSchema>> compile(const Json& schema) {
  auto compiled = JsonSchema::compile(schema);
  if (!compiled) return std::move(compiled).error();
  return std::shared_ptr<const JsonSchema>(
      std::make_shared<const JsonSchema>(std::move(*compiled)));
}

Result<ToolRoute> route_of(const Member& member, const Tool& tool, const ToolRoute* before) {
  if (!good_name(tool.name)) {
    return invalid(fmt::format("the name of tool \"{}\" is not 1 to {} of A-Z a-z 0-9 _ - .",
                               tool.name, kNameLength));
  }
  if (!object_schema(tool.input_schema)) {
    return invalid(fmt::format("tool {}: the input schema's type is not \"object\"", tool.name));
  }
  ToolRoute route{&member, &tool, nullptr, nullptr};
  if (before != nullptr && before->tool == &tool) {  // of a manifest that is as it was
    route.input = before->input;
    route.output = before->output;
    return route;
  }
  auto input = compile(tool.input_schema);
  if (!input) return std::move(input).error().in("input schema of tool " + tool.name);
  route.input = std::move(*input);
  if (tool.output_schema) {
    auto output = compile(*tool.output_schema);
    if (!output) return std::move(output).error().in("output schema of tool " + tool.name);
    route.output = std::move(*output);
  }
  return route;
}

Result<std::shared_ptr<const Member>> member_of(std::shared_ptr<Provider> provider) {
  auto manifest = provider->manifest();
  auto routes = Routes::make(manifest->routes);
  if (!routes) return std::move(routes).error().in("adding provider " + manifest->name);
  return std::shared_ptr<const Member>(std::make_shared<const Member>(
      Member{std::move(provider), std::move(manifest), std::move(*routes)}));
}

// A template without the names of its variables, and without its query, which tells no
// addresses apart.
std::string shape_of(std::string_view uri_template) {
  constexpr std::string_view kOperators = "+#./;?&";
  std::string shape;
  while (!uri_template.empty()) {
    const auto begin = std::min(uri_template.find('{'), uri_template.size());
    shape += uri_template.substr(0, begin);
    const auto variable = uri_template.substr(begin);
    if (variable.empty()) break;
    const char sign = variable.size() > 1 ? variable[1] : '}';
    const bool has_operator = kOperators.find(sign) != std::string_view::npos;
    if (sign != '?' && sign != '&') shape.append("{").append(has_operator, sign).append("}");
    uri_template.remove_prefix(begin + std::min(variable.find('}'), variable.size() - 1) + 1);
  }
  return shape;
}

auto find_named(const Catalog::Members& members, std::string_view name) {
  return std::ranges::find_if(members, [&](const auto& member) { return member->name() == name; });
}

Error no_such(std::string_view name) {
  return not_found("there is no provider " + std::string(name));
}

}  // namespace

// ---- families ----

Result<Catalog::Root> Catalog::Root::parse(const Family& family, const Member* member) {
  const std::string& text = family.root;
  if (family.opaque) {
    if (auto uri = Uri::verbatim(text); !uri) return std::move(uri).error().in(text);
    return Root{"", {}, text, member};
  }
  if (text.ends_with(':')) return Root{text.substr(0, text.size() - 1), {}, "", member};
  auto uri = Uri::parse(text);
  if (!uri) return std::move(uri).error().in(text);
  return Root{"", std::move(*uri), "", member};
}

bool Catalog::Root::holds(const Uri& address) const {
  if (!opaque.empty()) return address.is_verbatim() && address.text().starts_with(opaque);
  if (address.is_verbatim()) return false;
  return uri ? address.within(*uri) : address.scheme() == scheme;
}

std::size_t Catalog::Root::length() const {
  return uri ? uri->text().size() : scheme.size() + opaque.size();
}

bool Catalog::Root::same(const Root& other) const {
  return scheme == other.scheme && uri == other.uri && opaque == other.opaque;
}

// ---- making ----

Result<std::shared_ptr<const Catalog>> Catalog::make(Members members, const Catalog& before) {
  auto made = std::make_shared<Catalog>();
  made->members_ = std::move(members);
  made->revision_ = before.revision_ + 1;
  for (const auto& member : made->members_) {
    if (auto added = made->add(*member, before); !added) {
      return std::move(added).error().in("adding provider " + member->name());
    }
  }
  std::stable_sort(made->roots_.begin(), made->roots_.end(),
                   [](const Root& a, const Root& b) { return a.length() > b.length(); });
  return std::shared_ptr<const Catalog>(std::move(made));
}

Status Catalog::add(const Member& member, const Catalog& before) {
  if (!good_name(member.name())) return invalid("a provider needs a name of letters and digits");
  const auto named = [&](const auto& other) { return other->name() == member.name(); };
  if (std::ranges::count_if(members_, named) > 1) {
    return invalid(fmt::format("two providers have the name {}", member.name()));
  }
  if (auto added = add_addresses(member); !added) return added;
  if (auto added = add_routes(member); !added) return added;
  return add_tools(member, before);
}

Status Catalog::add_addresses(const Member& member) {
  for (const auto& family : member.manifest->families) {
    auto root = Root::parse(family, &member);
    if (!root) return std::move(root).error();
    if (family.opaque && !family.read) return invalid("nothing answers for " + family.root);
    if (std::ranges::any_of(roots_, [&](const Root& other) { return other.same(*root); })) {
      return invalid("another provider owns " + family.root);
    }
    has_opaque_ = has_opaque_ || family.opaque;
    roots_.push_back(std::move(*root));
  }
  for (const auto& text : member.manifest->exact) {
    if (auto uri = Uri::verbatim(text); !uri) return std::move(uri).error().in(text);
    if (!member.manifest->read_exact) return invalid("nothing answers for " + text);
    if (!exact_.emplace(text, &member).second) return invalid("another provider owns " + text);
    has_opaque_ = true;
  }
  return {};
}

Status Catalog::add_routes(const Member& member) {
  bool stray = false;
  for (const auto& route : member.manifest->routes) {
    const auto& text = route.entry.uri_template;
    if (!shapes_.insert(shape_of(text)).second) {
      return invalid(fmt::format("another template cannot be told from {}", text));
    }
    templates_.emplace(text, &member);
    const auto inside = [&](const Family& family) { return text.starts_with(family.root); };
    stray = stray || std::ranges::none_of(member.manifest->families, inside);
  }
  if (stray) strays_.push_back(&member);
  return {};
}

Status Catalog::add_tools(const Member& member, const Catalog& before) {
  for (const auto& tool : member.manifest->tools) {
    auto route = route_of(member, tool, before.find_tool(tool.name));
    if (!route) return std::move(route).error();
    if (!tools_.emplace(tool.name, std::move(*route)).second) {
      return invalid(fmt::format("two tools have the name {}", tool.name));
    }
  }
  return {};
}

// ---- looking ----

Result<Uri> Catalog::parse(std::string_view text) const {
  if (has_opaque_) {
    const auto begins = [&](const Root& r) {
      return !r.opaque.empty() && text.starts_with(r.opaque);
    };
    if (std::ranges::any_of(roots_, begins) || exact_.contains(std::string(text))) {
      return Uri::verbatim(text);
    }
  }
  return Uri::parse(text);
}

const Member* Catalog::find(const Uri& uri) const {
  if (!exact_.empty()) {
    const auto found = exact_.find(std::string(uri.text()));
    if (found != exact_.end()) return found->second;
  }
  for (const auto& root : roots_) {
    if (root.holds(uri)) return root.member;
  }
  for (const auto* member : strays_) {
    if (member->routes.holds(uri)) return member;
  }
  return nullptr;
}

std::weak_ptr<const Member> Catalog::share(const Member& member) const {
  const auto found = std::ranges::find(members_, &member, &std::shared_ptr<const Member>::get);
  return found == members_.end() ? std::weak_ptr<const Member>() : *found;
}

std::optional<Catalog::Answer> Catalog::find_answer(const Member& member, const Uri& uri) {
  const Manifest& manifest = *member.manifest;
  if (uri.is_verbatim()) {
    for (const auto& family : manifest.families) {
      if (family.opaque && uri.text().starts_with(family.root)) return Answer{&family.read, {}};
    }
    return Answer{&manifest.read_exact, {}};
  }
  auto found = member.routes.find(uri);
  if (!found) return std::nullopt;
  return Answer{&found->route->read, std::move(found->match)};
}

const ToolRoute* Catalog::find_tool(std::string_view name) const {
  auto found = tools_.find(name);
  return found == tools_.end() ? nullptr : &found->second;
}

std::optional<PromptRoute> Catalog::find_prompt(std::string_view name) const {
  for (const auto& member : members_) {
    Prompts* prompts = member->provider->prompts();
    if (prompts == nullptr) continue;
    if (auto prompt = prompts->find(name)) return PromptRoute{member.get(), std::move(*prompt)};
  }
  return std::nullopt;
}

const Member* Catalog::find_template(std::string_view uri_template) const {
  auto found = templates_.find(uri_template);
  return found == templates_.end() ? nullptr : found->second;
}

// ---- the one in force ----

CatalogSource::CatalogSource(Events& events)
    : events_(events), catalog_(std::make_shared<const Catalog>()) {}

std::shared_ptr<const Catalog> CatalogSource::current() const {
  const Lock lock(mutex_);
  return catalog_;
}

Status CatalogSource::add(std::shared_ptr<Provider> provider) {
  auto member = member_of(std::move(provider));
  if (!member) return std::move(member).error();
  const Lock lock(changing_);
  auto members = current()->members();
  members.push_back(std::move(*member));
  return replace(std::move(members));
}

Status CatalogSource::change(std::string_view name) {
  const Lock lock(changing_);
  auto members = current()->members();
  const auto found = find_named(members, name);
  if (found == members.end()) return no_such(name);
  auto member = member_of((*found)->provider);
  if (!member) return std::move(member).error();
  members[static_cast<std::size_t>(found - members.begin())] = std::move(*member);
  return replace(std::move(members));
}

Status CatalogSource::remove(std::string_view name) {
  const Lock lock(changing_);
  auto members = current()->members();
  const auto found = find_named(members, name);
  if (found == members.end()) return no_such(name);
  members.erase(found);
  return replace(std::move(members));
}

Status CatalogSource::replace(Catalog::Members members) {
  const auto before = current();
  auto after = Catalog::make(std::move(members), *before);
  if (!after) return std::move(after).error();
  {
    const Lock lock(mutex_);
    catalog_ = *after;
  }
  tell_changes(*before, **after, events_);
  return {};
}

}  // namespace lode
