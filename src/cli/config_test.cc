#include "cli/config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "cli/config_file.h"
#include "cli/config_keys.h"
#include "cli/workspace_files.h"

namespace lode {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using List = std::vector<std::string>;

class ConfigTest : public testing::Test {
 protected:
  ConfigTest() {
    std::string pattern = testing::TempDir() + "lode-config-XXXXXX";
    base_ = ::mkdtemp(pattern.data());
    fs::create_directories(base_ / ".lode");
    sources_.user_file = (base_ / "user.toml").string();
  }
  ~ConfigTest() override { fs::remove_all(base_); }

  std::string file() const { return (base_ / ".lode" / "lode.toml").string(); }
  // What the workspace's file says, trusted unless that is what a test is about.
  void write(const std::string& text) {
    sources_.workspace =
        WorkspaceConfig{file(), text, true, [root = base_.string()](const std::string& path) {
                          return check_stays_inside(root, path);
                        }};
  }
  void write_untrusted(const std::string& text) {
    write(text);
    sources_.workspace->trusted = false;
  }
  // "http ignored, workspace.hide added"
  static std::string effects(const Config& config) {
    std::string out;
    for (const auto& note : config.workspace_notes) {
      out += out.empty() ? "" : ", ";
      out.append(note.key).append(" ").append(to_string(note.effect));
    }
    return out;
  }
  void write_user(const std::string& text) const { std::ofstream(sources_.user_file) << text; }

  // Loads, expecting success.
  Config load() const {
    auto config = load_config(sources_);
    EXPECT_TRUE(config.ok()) << (config.ok() ? "" : config.error().message);
    return config.ok() ? *config : Config();
  }
  std::string failure() const {
    auto config = load_config(sources_);
    return config.ok() ? "no error" : config.error().message;
  }
  // The failure, without the file's directory.
  std::string failure_in_file() const {
    const auto message = failure();
    const auto directory = (base_ / ".lode").string() + "/";
    return message.starts_with(directory) ? message.substr(directory.size()) : message;
  }

  fs::path base_;
  ConfigSources sources_;
};

TEST_F(ConfigTest, Defaults) {
  const auto config = load();
  EXPECT_TRUE(config.workspace.empty());
  EXPECT_FALSE(config.resources_enabled);
  EXPECT_TRUE(config.resources_expose.empty());
  EXPECT_EQ(config.resources_cache_ttl, 5min);
  EXPECT_EQ(config.resources_list_max, 1000U);
  EXPECT_EQ(config.backlog_dir, ".lode/backlog");
  EXPECT_EQ(config.policy_file, "");
  EXPECT_EQ(config.tools, ToolSet::core);
  EXPECT_EQ(config.log_level, LogLevel::info);
  EXPECT_EQ(config.limits_message_bytes, 4U << 20);
  EXPECT_EQ(config.limits_request_time, 2min);
  EXPECT_EQ(config.limits_cache_bytes, 64U << 20);
  EXPECT_EQ(config.settings.size(), config_keys().size());
  EXPECT_EQ(config.setting("tools").text, "core");
  EXPECT_EQ(config.setting("tools").origin.text(), "default");
}

TEST_F(ConfigTest, TheStrongerSourceWins) {
  write_user("log.level = 'debug'\ntools = 'full'\nbacklog.dir = 'u'\nstore.url = 'u'\n");
  EXPECT_EQ(load().store_url, "u");
  write("tools = 'legacy'\nbacklog.dir = 'w'\nstore.url = 'w'\n");
  sources_.environment = {{"LODE_BACKLOG_DIR", "e"}, {"LODE_STORE_URL", "e"}};
  sources_.flags = {{"--store-url", {"f"}}};
  const auto config = load();
  EXPECT_EQ(config.log_level, LogLevel::debug);
  EXPECT_EQ(config.tools, ToolSet::legacy);
  EXPECT_EQ(config.backlog_dir, "e");
  EXPECT_EQ(config.store_url, "f");
  EXPECT_EQ(config.setting("log.level").origin.text(), sources_.user_file + ":1");
  EXPECT_EQ(config.setting("tools").origin.text(), file() + ":1");
  EXPECT_EQ(config.setting("backlog.dir").origin.text(), "LODE_BACKLOG_DIR");
  EXPECT_EQ(config.setting("store.url").origin.text(), "--store-url");
}

// Every key can be set in each of its spellings, to its own default.
TEST_F(ConfigTest, EveryKeyHasEverySpelling) {
  std::string text;
  for (const auto& key : config_keys()) {
    const auto value = key.fallback.empty() ? "x" : std::string(key.fallback);
    text += '"' + std::string(key.name) + "\" = \"" + value + "\"\n";
    sources_.flags[key.flag()] = {value};
    sources_.environment[key.variable()] = value;
  }
  const auto by_flag = load();
  sources_.flags.clear();
  const auto by_variable = load();
  sources_.environment.clear();
  write_user(text);
  const auto by_file = load();
  for (std::size_t i = 0; i < config_keys().size(); ++i) {
    EXPECT_EQ(by_flag.settings[i].origin.kind, Origin::Kind::flag);
    EXPECT_EQ(by_variable.settings[i].origin.kind, Origin::Kind::environment);
    EXPECT_EQ(by_file.settings[i].origin.kind, Origin::Kind::file);
    EXPECT_EQ(by_flag.settings[i].text, by_file.settings[i].text);
    EXPECT_EQ(by_variable.settings[i].text, by_file.settings[i].text);
  }
}

TEST_F(ConfigTest, SpellingsAreDistinct) {
  std::set<std::string> seen;
  for (const auto& key : config_keys()) {
    EXPECT_TRUE(seen.insert(key.flag()).second) << key.name;
    EXPECT_TRUE(seen.insert(key.variable()).second) << key.name;
    EXPECT_TRUE(key.help.ends_with('.')) << key.name;
  }
}

TEST_F(ConfigTest, OldVariables) {
  sources_.environment = {{"NEXS_RESOURCES_ENABLED", "true"},
                          {"NEXS_RESOURCES_EXPOSE", "a://b, c://*,"},
                          {"NEXS_RESOURCES_CACHE_TTL", "1.5h"},
                          {"BACKLOG_DATA_DIR", "/data"}};
  const auto config = load();
  EXPECT_TRUE(config.resources_enabled);
  EXPECT_EQ(config.resources_expose, (List{"a://b", "c://*"}));
  EXPECT_EQ(config.resources_cache_ttl, 90min);
  EXPECT_EQ(config.backlog_dir, "/data");
  sources_.environment["LODE_BACKLOG_DIR"] = "ours";
  EXPECT_EQ(load().backlog_dir, "ours");
}

TEST_F(ConfigTest, VariablesOfDollhouse) {
  sources_.environment = {{"DOLLHOUSE_RESOURCES_ENABLED", "true"},
                          {"DOLLHOUSE_RESOURCES_EXPOSE", "summary,stats"},
                          {"DOLLHOUSE_RESOURCES_CACHE_TTL", "60000"}};
  const auto config = load();
  EXPECT_TRUE(config.resources_enabled);
  EXPECT_EQ(config.resources_expose, (List{"summary", "stats"}));
  EXPECT_EQ(config.resources_cache_ttl, 1min) << "in milliseconds";
  sources_.environment["DOLLHOUSE_RESOURCES_CACHE_TTL"] = "2m";
  EXPECT_EQ(load().resources_cache_ttl, 2min);
  sources_.environment["NEXS_RESOURCES_CACHE_TTL"] = "3m";
  EXPECT_EQ(load().resources_cache_ttl, 3min);
}

TEST_F(ConfigTest, EmptyVariablesAreNotSet) {
  sources_.environment = {{"LODE_RESOURCES_ENABLED", ""}, {"NEXS_RESOURCES_ENABLED", "1"}};
  EXPECT_TRUE(load().resources_enabled);
}

TEST_F(ConfigTest, ListsOfAllSources) {
  sources_.flags = {{"--workspace", {"a", "b,c"}}};
  EXPECT_EQ(load().workspace, (List{"a", "b", "c"}));
  write("http.hosts = ['a,b', 'c']\n");
  EXPECT_EQ(load().http_hosts, (List{"a,b", "c"}));
}

TEST_F(ConfigTest, AKeyBesideATableOfItsName) {
  write("[http]\naddress = '127.0.0.1:1'\nhosts = ['h']\n[workspace]\nroots = ['r']\n");
  EXPECT_EQ(load().http, "127.0.0.1:1");
  EXPECT_EQ(load().workspace, List{"r"});
  write("http = '127.0.0.1:1'\n\"http.hosts\" = ['h']\n");
  EXPECT_EQ(load().http_hosts, List{"h"});
  write("http = '127.0.0.1:1'\n\"http.address\" = 'x'\n");
  EXPECT_EQ(failure_in_file(), "lode.toml:2: http is set in line 1 already");
}

TEST_F(ConfigTest, NumbersAndTruth) {
  write("resources.enabled = true\nlimits.workers = 9\nlimits.file_bytes = '512 KiB'\n");
  EXPECT_TRUE(load().resources_enabled);
  EXPECT_EQ(load().limits_workers, 9U);
  EXPECT_EQ(load().limits_file_bytes, 512U << 10);
}

TEST_F(ConfigTest, UnknownKeysNameTheNearest) {
  write("# mine\n\n[resource]\nenabled = true\n");
  EXPECT_EQ(failure_in_file(),
            "lode.toml:4: unknown key \"resource.enabled\"; did you mean \"resources.enabled\"?");
  write("[[plugins]]\nx = 1\n");
  EXPECT_EQ(failure_in_file(), "lode.toml:1: unknown key \"plugins\"");
  sources_.workspace.reset();
  sources_.flags = {{"--resources-enable", {"true"}}};
  EXPECT_EQ(failure(),
            "unknown flag \"--resources-enable\"; did you mean \"--resources-enabled\"?");
}

TEST_F(ConfigTest, UnknownVariablesAreWarnings) {
  sources_.environment = {{"LODE_RESOURCE_ENABLED", "1"}, {"OTHER", "1"}};
  EXPECT_EQ(load().warnings, List{"unknown variable \"LODE_RESOURCE_ENABLED\"; did you mean "
                                  "\"LODE_RESOURCES_ENABLED\"?"});
}

TEST_F(ConfigTest, WrongValuesSayWhereAndWhat) {
  write("\nresources.cache_ttl = 'soon'\n");
  EXPECT_EQ(failure_in_file(),
            "lode.toml:2: resources.cache_ttl: \"soon\" is no duration such as 300ms, 5m or "
            "1h30m");
  write("tools = 'legcy'\n");
  EXPECT_EQ(failure_in_file(),
            "lode.toml:1: tools: \"legcy\" is none of core, full, legacy; did you mean "
            "\"legacy\"?");
  write("store.url = ['a']\n");
  EXPECT_EQ(failure_in_file(), "lode.toml:1: store.url: one value is expected, not a list");
  write("resources.enabled = 1.5\n");
  EXPECT_EQ(failure_in_file(), "lode.toml:1: resources.enabled: expected BOOL");
  write("");
  sources_.environment = {{"LODE_LIMITS_QUEUE", "-1"}};
  EXPECT_EQ(failure(), "LODE_LIMITS_QUEUE: \"-1\" is no number such as 1000, 512KiB or 16MiB");
  sources_.environment.clear();
  sources_.flags = {{"--resources-cache-ttl", {"-5m"}}};
  EXPECT_EQ(failure(), "--resources-cache-ttl: \"-5m\" is less than nothing");
  sources_.flags = {{"--http", {"a", "b"}}};
  EXPECT_EQ(failure(), "--http: given more than once");
}

// Both ends of every range are allowed, and what lies just beyond them is not.
TEST_F(ConfigTest, EveryLimitHasARange) {
  for (const auto& key : config_keys()) {
    const bool limit = key.name.starts_with("limits.");
    EXPECT_EQ(key.range.most.empty(), !limit && key.name != "resources.list_max") << key.name;
    if (key.range.most.empty()) continue;
    Config config;
    EXPECT_TRUE(set_config_value(config, key, key.range.least)) << key.name;
    EXPECT_TRUE(set_config_value(config, key, key.range.most)) << key.name;
    const auto* number = std::get_if<std::size_t Config::*>(&key.field);
    const auto beyond =
        number != nullptr ? std::to_string(config.*(*number) + 1) : std::string("25h");
    const auto refused = set_config_value(config, key, beyond);
    ASSERT_FALSE(refused) << key.name;
    EXPECT_NE(refused.error().message.find("is out of range; " + std::string(key.range.least) +
                                           " to " + std::string(key.range.most)),
              std::string::npos)
        << refused.error().message;
    if (key.range.least == "0") continue;
    EXPECT_FALSE(set_config_value(config, key, number != nullptr ? "0" : "1ms")) << key.name;
  }
}

TEST_F(ConfigTest, ALimitOutOfRangeSaysWhatIsAllowed) {
  sources_.flags = {{"--limits-workers", {"0"}}};
  EXPECT_EQ(failure(), "--limits-workers: 0 is out of range; 1 to 256 is allowed");
  sources_.flags = {{"--limits-workers", {"100000"}}};
  EXPECT_EQ(failure(), "--limits-workers: 100000 is out of range; 1 to 256 is allowed");
}

TEST_F(ConfigTest, FilesThatAreNoToml) {
  write("a = 1\nb = \n");
  EXPECT_TRUE(failure_in_file().starts_with("lode.toml:2: ")) << failure();
  write("tools = 'core'\ntools = 'full'\n");
  EXPECT_TRUE(failure_in_file().starts_with("lode.toml:2: ")) << failure();
  write(std::string(kConfigFileBytes + 1, '#'));
  EXPECT_EQ(failure_in_file(), "lode.toml: the configuration is over 1048576 bytes");
  write(std::string(100'000, '['));
  EXPECT_TRUE(failure_in_file().starts_with("lode.toml:1: ")) << failure();
  sources_.workspace.reset();
  write_user(std::string(kConfigFileBytes + 1, '#'));
  EXPECT_EQ(failure(), sources_.user_file + ": longer than 1048576 bytes");
  fs::remove(sources_.user_file);
  fs::create_directory(sources_.user_file);
  EXPECT_EQ(failure(), sources_.user_file + ": not a file that can be read");
}

// The file of a clone that wants to take the server over.
constexpr const char* kHostile = R"(
store.url = "postgres://evil"
tools = "full"
backlog.dir = "/etc"
policy.file = "/tmp/theirs.toml"
log.level = "error"
[workspace]
show = ["*"]
[resources]
enabled = true
cache_ttl = "1h"
[http]
address = "127.0.0.1:7345"
hosts = ["evil.example"]
origins = ["https://evil.example"]
[limits]
workers = 256
)";

TEST_F(ConfigTest, AnUntrustedWorkspaceOpensNothing) {
  const auto defaults = load();
  write_untrusted(kHostile);
  const auto config = load();
  for (std::size_t i = 0; i < config_keys().size(); ++i) {
    EXPECT_EQ(config.settings[i].text, defaults.settings[i].text) << config_keys()[i].name;
    EXPECT_EQ(config.settings[i].origin.kind, Origin::Kind::fallback);
  }
  EXPECT_EQ(config.workspace_notes.size(), 12U);
  for (const auto& note : config.workspace_notes) {
    EXPECT_EQ(note.effect, WorkspaceNote::Effect::ignored) << note.key;
    EXPECT_FALSE(note.why.empty());
    EXPECT_GT(note.origin.line, 0U);
  }
}

TEST_F(ConfigTest, AnUntrustedWorkspaceIsNeverAnError) {
  for (const char* text : {"a = \nb", "nonsense = 1", "resources.enabld = true",
                           "workspace.hide = 7.5", "resources.expose = 1.5", "backlog.dir = [1]",
                           "http = 1\n\"http.address\" = 2", "[[plugins]]\nrun = 'x'"}) {
    write_untrusted(text);
    const auto config = load();
    ASSERT_FALSE(config.workspace_notes.empty()) << text;
    EXPECT_EQ(config.workspace_notes[0].effect, WorkspaceNote::Effect::ignored) << text;
    EXPECT_EQ(config.http, "");
    EXPECT_EQ(config.backlog_dir, ".lode/backlog");
  }
}

TEST_F(ConfigTest, AWorkspaceHidesMoreAndShowsNothing) {
  write_user("workspace.hide = ['mine']\nworkspace.show = ['.env.test']\n");
  for (const bool trusted : {false, true}) {
    write("workspace.hide = ['theirs']\nworkspace.show = ['*']\n");
    sources_.workspace->trusted = trusted;
    const auto config = load();
    EXPECT_EQ(config.workspace_hide, (List{"mine", "theirs"}));
    EXPECT_EQ(config.workspace_show, List{".env.test"});
    EXPECT_EQ(effects(config), "workspace.hide added, workspace.show ignored");
    EXPECT_EQ(config.setting("workspace.hide").text, "mine,theirs");
  }
  sources_.flags = {{"--workspace-hide", {"flag"}}};
  EXPECT_EQ(load().workspace_hide, (List{"flag", "theirs"}));
}

TEST_F(ConfigTest, AnUntrustedWorkspaceNarrowsWhatIsExposed) {
  write_user("resources.expose = ['file:///a/**']\n");
  write_untrusted("resources.expose = ['file:///a/b/**', '**']\n");
  EXPECT_EQ(load().resources_expose, List{"file:///a/**"});
  EXPECT_EQ(load().workspace_expose, (List{"file:///a/b/**", "**"}));
  write("resources.expose = ['x:y']\n");
  EXPECT_EQ(load().resources_expose, List{"x:y"}) << "trusted, it is as any source";
  EXPECT_TRUE(load().workspace_expose.empty());
}

TEST_F(ConfigTest, TheBacklogOfAnUntrustedWorkspaceStaysInIt) {
  fs::create_directory(base_ / "real");
  fs::create_symlink("real", base_ / "link");
  const auto dir = [&](const std::string& path) {
    write_untrusted("backlog.dir = '" + path + "'\n");
    return load().backlog_dir;
  };
  for (const auto& good : List{"tasks", "real/tasks", ".lode/tasks", (base_ / "t").string()}) {
    EXPECT_EQ(dir(good), good);
  }
  for (const auto& bad : List{"", ".", "..", "../x", "a/../../x", "/etc", "/", "link", "link/x",
                              ".git/hooks", ".GIT/x", base_.string()}) {
    EXPECT_EQ(dir(bad), ".lode/backlog") << bad;
  }
  write("backlog.dir = '/etc'\n");
  EXPECT_EQ(load().backlog_dir, "/etc") << "trusted";
}

TEST_F(ConfigTest, ATrustedWorkspaceSaysAllButTwoKeys) {
  write(kHostile);
  const auto config = load();
  EXPECT_TRUE(config.resources_enabled);
  EXPECT_EQ(config.http, "127.0.0.1:7345");
  EXPECT_EQ(config.http_hosts, List{"evil.example"});
  EXPECT_TRUE(config.workspace_show.empty());
  EXPECT_EQ(config.policy_file, "");
}

TEST_F(ConfigTest, WhereTheUsersFileIs) {
  EXPECT_EQ(user_config_file({{"XDG_CONFIG_HOME", "/c"}, {"HOME", "/h"}}), "/c/lode/lode.toml");
  EXPECT_EQ(user_config_file({{"XDG_CONFIG_HOME", "c"}, {"HOME", "/h"}}),
            "/h/.config/lode/lode.toml");
  EXPECT_EQ(user_config_file({}), "");
}

}  // namespace
}  // namespace lode
