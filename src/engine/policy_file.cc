#include "engine/policy_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "base/principal.h"
#include "base/toml_text.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 2> kFileKeys{"roles", "rule"};
constexpr std::array<std::string_view, 5> kRuleKeys{"effect", "roles", "actions", "uris", "tools"};
constexpr std::array<std::string_view, 2> kEffects{"allow", "deny"};

class PolicyReader {
 public:
  explicit PolicyReader(std::string_view filename) : filename_(filename) {}

  Result<Policy> read(const toml::table& file) {
    if (auto known = check_keys(file, kFileKeys, "a policy"); !known) {
      return std::move(known).error();
    }
    if (const auto* roles = file.get("roles")) {
      if (auto done = read_roles(*roles); !done) return std::move(done).error();
    }
    if (const auto* rules = file.get("rule")) {
      if (auto done = read_rules(*rules); !done) return std::move(done).error();
    }
    return Policy::make(std::move(rules_), std::move(roles_));
  }

 private:
  std::string at(const toml::source_region& source) const {
    return fmt::format("{}:{}", filename_, source.begin.line);
  }
  Error wrong(const toml::node& node, std::string message) const {
    return invalid(std::move(message)).in(at(node.source()));
  }

  Status check_keys(const toml::table& table, std::span<const std::string_view> known,
                    std::string_view what) const {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      return invalid(fmt::format("{} has no key \"{}\"{}", what, key.str(),
                                 did_you_mean(key.str(), known)))
          .in(at(key.source()));
    }
    return {};
  }

  // The text of each string in an array, with the node it stands in.
  using Strings = std::vector<std::pair<std::string, const toml::node*>>;
  Status strings(const toml::node& node, std::string_view what, Strings& found) const {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong(node, fmt::format("{} must be an array of strings", what));
    for (const auto& item : *array) {
      const auto* text = item.as_string();
      if (text == nullptr) return wrong(item, fmt::format("{} must hold strings only", what));
      if (text->get().empty()) return wrong(item, fmt::format("{} holds an empty string", what));
      found.emplace_back(text->get(), &item);
    }
    return {};
  }

  Status read_roles(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) return wrong(node, "roles must be a table: role = [\"principal\", …]");
    for (const auto& [role, members] : *table) {
      Strings names;
      const auto what = fmt::format("the role {}", role.str());
      if (auto read = strings(members, what, names); !read) return read;
      if (role.str() == "*") return wrong(members, "everyone has the role \"*\" already");
      if (is_reserved_name(role.str())) {
        return wrong(members, fmt::format("\"{}\" is a principal, and no role for others: choose "
                                          "another name",
                                          role.str()));
      }
      auto& list = roles_[std::string(role.str())];
      for (auto& [name, item] : names) list.push_back(std::move(name));
    }
    return {};
  }

  Status read_rules(const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong(node, "a rule begins with [[rule]], in double brackets");
    for (const auto& item : *array) {
      const auto* table = item.as_table();
      if (table == nullptr) return wrong(item, "a rule must be a table");
      Rule& rule = rules_.emplace_back();
      if (auto done = read_rule(*table, rule); !done) return done;
    }
    return {};
  }

  Status read_rule(const toml::table& table, Rule& rule) const {
    if (auto known = check_keys(table, kRuleKeys, "a rule"); !known) return known;
    rule.where = at(table.source());
    for (const auto part :
         {&PolicyReader::read_effect, &PolicyReader::read_rule_roles, &PolicyReader::read_actions,
          &PolicyReader::read_uris, &PolicyReader::read_tools}) {
      if (auto status = (this->*part)(table, rule); !status) return status;
    }
    return {};
  }

  Status read_effect(const toml::table& table, Rule& rule) const {
    const auto* node = table.get("effect");
    if (node == nullptr) return wrong(table, "a rule needs an effect: \"allow\" or \"deny\"");
    const std::string effect = node->value_or(std::string());
    rule.allow = effect == "allow";
    if (rule.allow || effect == "deny") return {};
    return wrong(*node, fmt::format("an effect is \"allow\" or \"deny\", not \"{}\"{}", effect,
                                    did_you_mean(effect, kEffects)));
  }

  Status read_rule_roles(const toml::table& table, Rule& rule) const {
    const auto* node = table.get("roles");
    if (node == nullptr) return wrong(table, "a rule needs roles; [\"*\"] is everyone");
    Strings names;
    if (auto read = strings(*node, "roles", names); !read) return read;
    if (names.empty()) return wrong(*node, "roles is empty; [\"*\"] is everyone");
    for (auto& [name, item] : names) rule.roles.push_back(std::move(name));
    return {};
  }

  Status read_actions(const toml::table& table, Rule& rule) const {
    const auto* node = table.get("actions");
    if (node == nullptr) return wrong(table, "a rule needs actions; [\"*\"] is all of them");
    Strings names;
    if (auto read = strings(*node, "actions", names); !read) return read;
    if (names.empty()) return wrong(*node, "actions is empty; [\"*\"] is all of them");
    for (const auto& [name, item] : names) {
      if (name == "*") {
        rule.actions.clear();
        for (std::size_t i = 0; i < kActionNames.size(); ++i) {
          rule.actions.push_back(static_cast<Action>(i));
        }
        return {};
      }
      auto action = parse_action(name);
      if (!action) return wrong(*item, std::move(action).error().message);
      rule.actions.push_back(*action);
    }
    return {};
  }

  Status read_uris(const toml::table& table, Rule& rule) const {
    return read_globs(table, "uris", rule.uris);
  }
  Status read_tools(const toml::table& table, Rule& rule) const {
    return read_globs(table, "tools", rule.tools);
  }
  Status read_globs(const toml::table& table, std::string_view key,
                    std::vector<Glob>& globs) const {
    const auto* node = table.get(key);
    if (node == nullptr) return {};
    Strings texts;
    if (auto read = strings(*node, key, texts); !read) return read;
    for (const auto& [text, item] : texts) {
      auto glob = Glob::parse(text);
      if (!glob) return wrong(*item, std::move(glob).error().message);
      globs.push_back(std::move(*glob));
    }
    return {};
  }

  std::string_view filename_;
  std::vector<Rule> rules_;
  Roles roles_;
};

}  // namespace

Result<Policy> parse_policy(std::string_view text, std::string_view filename,
                            const PolicyFileLimits& limits) {
  if (auto fit = check_toml_text(text, {filename, "policy"}, {limits.bytes, limits.dots}); !fit) {
    return std::move(fit).error();
  }
  try {
    const toml::table file = toml::parse(text, filename);
    return PolicyReader(filename).read(file);
  } catch (const toml::parse_error& e) {
    return invalid(std::string(e.description()))
        .in(fmt::format("{}:{}", filename, e.source().begin.line));
  } catch (const std::exception& e) {
    return internal(e.what()).in(filename);
  }
}

}  // namespace lode
