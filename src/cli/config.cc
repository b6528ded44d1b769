#include "cli/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>

#include "base/nearest.h"
#include "cli/config_file.h"
#include "cli/config_keys.h"

namespace lode {
namespace {

constexpr std::string_view kOurVariables = "LODE_";

// `; did you mean "x"?`, or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto meant = nearest(word, views);
  return meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant);
}

template <class Name>
std::vector<std::string> names_of_all(const Name& name) {
  std::vector<std::string> names;
  for (const auto& key : config_keys()) names.emplace_back(name(key));
  return names;
}

std::string unknown(std::string_view what, std::string_view word,
                    const std::vector<std::string>& names) {
  return fmt::format("unknown {} \"{}\"{}", what, word, suggestion(word, names));
}

// Dollhouse counts time in milliseconds, without a unit.
std::string in_our_units(const ConfigKey& key, std::string_view variable, std::string_view text) {
  const bool plain = text.find_first_not_of("0123456789") == std::string_view::npos;
  const bool counted = variable.starts_with("DOLLHOUSE_") && key.type() == "DURATION" && plain;
  return std::string(text) + (counted ? "ms" : "");
}

// Applies the sources from the weakest to the strongest; a later one overrides.
class Loader {
 public:
  explicit Loader(const ConfigSources& sources) : sources_(sources) {
    for (const auto& key : config_keys()) {
      [[maybe_unused]] const auto status = set_config_value(config_, key, key.fallback);
      assert(status.ok());
      config_.settings.push_back({&key, {}, {}});
    }
  }

  Result<Config> run() && {
    if (auto status = apply_file(sources_.user_file); !status) return std::move(status).error();
    if (auto status = apply_workspace(); !status) return std::move(status).error();
    if (auto status = apply_environment(); !status) return std::move(status).error();
    if (auto status = apply_flags(); !status) return std::move(status).error();
    add_hidden();
    for (auto& setting : config_.settings) setting.text = config_value_text(config_, *setting.key);
    return std::move(config_);
  }

 private:
  Origin& origin_of(const ConfigKey& key) {
    return config_.settings[static_cast<std::size_t>(&key - config_keys().data())].origin;
  }

  // A flag and a variable say which key they are; a line of a file does not.
  static Error wrong(const ConfigKey& key, const Origin& origin, Error error) {
    if (origin.kind == Origin::Kind::file) error = std::move(error).in(key.name);
    return std::move(error).in(origin.text());
  }

  template <class Value>
  Status set(const ConfigKey& key, Value value, Origin origin) {
    auto status = set_config_value(config_, key, std::move(value));
    if (!status) return wrong(key, origin, std::move(status).error());
    origin_of(key) = std::move(origin);
    return {};
  }

  // What is wrong in the file of an untrusted workspace must neither stop the program
  // nor open anything.
  Status apply_workspace() {
    if (!sources_.workspace) return {};
    const auto& file = *sources_.workspace;
    auto entries = parse_config_text(file.text, file.name);
    if (!entries && file.trusted) return std::move(entries).error();
    if (!entries) {
      note({"the whole file",
            "",
            {Origin::Kind::file, file.name, 0},
            Effect::ignored,
            entries.error().message,
            false});
      return {};
    }
    for (auto& entry : *entries) {
      if (auto status = apply_workspace_entry(file, entry); !status) return status;
    }
    return {};
  }

  using Effect = WorkspaceNote::Effect;

  void note(WorkspaceNote entry) { config_.workspace_notes.push_back(std::move(entry)); }

  static void ignore(WorkspaceNote& said, std::string why, bool for_trust = false) {
    said.effect = Effect::ignored;
    said.why = std::move(why);
    said.for_trust = for_trust;
  }

  Status apply_workspace_entry(const WorkspaceConfig& file, FileEntry& entry) {
    const auto* key = find_config_key(entry.key);
    const auto name = key == nullptr ? std::string_view() : key->name;
    WorkspaceNote said{entry.key, text_of(entry), {Origin::Kind::file, file.name, entry.line}, {},
                       {},        false};
    if (name == "workspace.show" || name == "policy.file") {
      ignore(said, "a workspace has no say in it, trusted or not");
    } else if (name == "workspace.hide") {
      hide(entry, said);
    } else if (file.trusted) {
      if (auto status = apply_entry(file.name, entry); !status) return status;
    } else {
      tighten(file, name, entry, said);
    }
    note(std::move(said));
    return {};
  }

  void hide(const FileEntry& entry, WorkspaceNote& said) {
    const auto names = list_in(entry);
    if (!names) return ignore(said, "expected LIST");
    hidden_ = *names;
    hidden_from_ = said.origin;
    said.effect = Effect::added;
  }

  // The little that an untrusted workspace may say. name: of the key; empty: unknown.
  void tighten(const WorkspaceConfig& file, std::string_view name, FileEntry& entry,
               WorkspaceNote& said) {
    if (name.empty()) return ignore(said, "unknown key");
    if (name == "resources.expose") {
      const auto list = list_in(entry);
      if (!list) return ignore(said, "expected LIST");
      config_.workspace_expose = *list;
      said.effect = Effect::narrows;
      return;
    }
    if (name != "backlog.dir") return ignore(said, "the workspace is not trusted", true);
    const auto inside = file.stays_inside ? file.stays_inside(said.value) : invalid("not inside");
    if (!inside) return ignore(said, inside.error().message, true);
    if (!apply_entry(file.name, entry)) ignore(said, "expected TEXT");
  }

  // A list as a file has it, or as a flag has it.
  static std::optional<std::vector<std::string>> list_in(const FileEntry& entry) {
    if (const auto* elements = std::get_if<std::vector<std::string>>(&entry.value)) {
      return *elements;
    }
    const auto* text = std::get_if<std::string>(&entry.value);
    Config scratch;
    const auto* key = find_config_key("workspace.hide");
    if (text == nullptr || !set_config_value(scratch, *key, std::string_view(*text))) return {};
    return scratch.workspace_hide;
  }

  static std::string text_of(const FileEntry& entry) {
    if (const auto* text = std::get_if<std::string>(&entry.value)) return *text;
    const auto* elements = std::get_if<std::vector<std::string>>(&entry.value);
    return elements == nullptr ? "" : fmt::format("{}", fmt::join(*elements, ","));
  }

  // At the end, for whatever the user hides is not replaced.
  void add_hidden() {
    if (hidden_.empty()) return;
    auto& names = config_.workspace_hide;
    names.insert(names.end(), hidden_.begin(), hidden_.end());
    auto& origin = origin_of(*find_config_key("workspace.hide"));
    if (origin.kind == Origin::Kind::fallback) origin = hidden_from_;
  }

  Status apply_file(const std::string& path) {
    if (path.empty()) return {};
    auto entries = read_config_file(path);
    if (!entries) return std::move(entries).error();
    for (auto& entry : *entries) {
      if (auto status = apply_entry(path, entry); !status) return status;
    }
    return {};
  }

  Status apply_entry(const std::string& path, FileEntry& entry) {
    Origin origin{Origin::Kind::file, path, entry.line};
    const auto* key = find_config_key(entry.key);
    if (key == nullptr) {
      const auto names = names_of_all([](const ConfigKey& k) { return k.name; });
      return invalid(origin.text() + ": " + unknown("key", entry.key, names));
    }
    const auto& before = origin_of(*key);
    if (before.kind == Origin::Kind::file && before.name == path) {
      return invalid(
          fmt::format("{}: {} is set in line {} already", origin.text(), key->name, before.line));
    }
    if (auto* text = std::get_if<std::string>(&entry.value)) {
      return set(*key, std::string_view(*text), std::move(origin));
    }
    if (auto* elements = std::get_if<std::vector<std::string>>(&entry.value)) {
      return set(*key, std::move(*elements), std::move(origin));
    }
    return wrong(*key, origin, invalid("expected " + std::string(key->type())));
  }

  Status apply_environment() {
    const auto names = names_of_all([](const ConfigKey& key) { return key.variable(); });
    for (const auto& [name, value] : sources_.environment) {
      if (!name.starts_with(kOurVariables)) continue;
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      config_.warnings.push_back(unknown("variable", name, names));
    }
    for (const auto& key : config_keys()) {
      if (auto status = apply_variable(key); !status) return status;
    }
    return {};
  }

  Status apply_variable(const ConfigKey& key) {
    for (const auto& name :
         {key.variable(), std::string(key.old_variables[0]), std::string(key.old_variables[1])}) {
      const auto found = sources_.environment.find(name);
      if (found == sources_.environment.end() || found->second.empty()) continue;
      return set(key, in_our_units(key, name, found->second), {Origin::Kind::environment, name, 0});
    }
    return {};
  }

  Status apply_flags() {
    for (const auto& [flag, values] : sources_.flags) {
      const auto keys = config_keys();
      const auto key = std::find_if(keys.begin(), keys.end(),
                                    [&flag = flag](const auto& k) { return k.flag() == flag; });
      if (key == keys.end()) return invalid(unknown_flag(flag));
      if (auto status = apply_flag(*key, flag, values); !status) return status;
    }
    return {};
  }

  Status apply_flag(const ConfigKey& key, const std::string& flag,
                    const std::vector<std::string>& values) {
    if (values.empty()) return {};
    const bool list = std::holds_alternative<std::vector<std::string> Config::*>(key.field);
    if (values.size() > 1 && !list) return invalid(flag + ": given more than once");
    return set(key, std::string_view(fmt::format("{}", fmt::join(values, ","))),
               {Origin::Kind::flag, flag, 0});
  }

  const ConfigSources& sources_;
  Config config_;
  std::vector<std::string> hidden_;  // by the workspace
  Origin hidden_from_;
};

}  // namespace

std::string Origin::text() const {
  if (kind == Kind::fallback) return "default";
  return kind == Kind::file ? fmt::format("{}:{}", name, line) : name;
}

std::string_view to_string(WorkspaceNote::Effect effect) {
  switch (effect) {
    case WorkspaceNote::Effect::counts: return "counts";
    case WorkspaceNote::Effect::added: return "added";
    case WorkspaceNote::Effect::narrows: return "narrows";
    case WorkspaceNote::Effect::ignored: return "ignored";
  }
  return "ignored";
}

const Setting& Config::setting(std::string_view name) const {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [name](const Setting& s) { return s.key->name == name; });
  assert(found != settings.end());
  return *found;
}

Result<Config> load_config(const ConfigSources& sources) { return Loader(sources).run(); }

Status check_has_effect(const Config& config, const ConfigSources& sources) {
  using Kind = Origin::Kind;
  for (const auto& [key, text, origin] : config.settings) {
    const bool own = origin.kind == Kind::flag ||
                     (origin.kind == Kind::environment && origin.name == key->variable()) ||
                     (origin.kind == Kind::file && origin.name == sources.user_file);
    if (!key->without_effect || !own || text == key->fallback) continue;
    return invalid(origin.text() + ": has no effect in this version; leave it out");
  }
  return {};
}

Environment process_environment() {
  Environment all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

std::string user_config_file(const Environment& environment) {
  // The specification: a relative path here is not to be used.
  const auto named = environment.find("XDG_CONFIG_HOME");
  if (named != environment.end() && named->second.starts_with('/')) {
    return named->second + "/lode/lode.toml";
  }
  const auto home = environment.find("HOME");
  if (home == environment.end() || home->second.empty()) return {};
  return home->second + "/.config/lode/lode.toml";
}

std::string unknown_flag(std::string_view flag) {
  return unknown("flag", flag, names_of_all([](const ConfigKey& key) { return key.flag(); }));
}

}  // namespace lode
