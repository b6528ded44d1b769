#include "engine/engine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "engine/asking.h"
#include "engine/policy_file.h"

namespace lode {
namespace {

// A provider made of numbered resources, for what the engine does around one.
class NumbersProvider final : public Provider, public Resources, public Tools {
 public:
  NumbersProvider(const std::string& name, int count) : count_(count) {
    Manifest manifest;
    manifest.name = name;
    manifest.families = {{name + ":"}};
    Tool add{"add_" + name,
             "",
             "Adds.",
             *parse_json(R"({"type":"object","properties":{"a":{"type":"integer"}},
                             "required":["a"]})"),
             *parse_json(R"({"type":"object","required":["sum"]})"),
             {}};
    Tool bad{"bad_" + name, "", "Fails.", *parse_json(R"({"type":"object"})"), {}, {}};
    manifest.tools = {add, bad};
    manifest.routes = {{{name + "://{id}", "number", "", "", ""}, &NumbersProvider::read}};
    manifest_ = std::make_shared<const Manifest>(std::move(manifest));
    prompts_.all = {{"say_" + name, "", "Says.", {{"word", "", true}}}};
  }

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Tools* tools() override { return this; }
  Prompts* prompts() override { return &prompts_; }

  Result<Page<Entry>> list(const Exchange&, const ListQuery& query) override {
    ++lists;
    if (list_error) return *list_error;
    Page<Entry> page;
    int at = query.after.empty() ? 0 : std::stoi(query.after) + 1;
    for (; at < count_; ++at) {
      if (page.items.size() == query.limit) {
        page.next = std::to_string(at - 1);
        return page;
      }
      page.items.push_back({manifest_->name + "://" + std::to_string(at), "n", "", "", "", {}, {}});
    }
    return page;
  }

  static Result<Outcome> read(const Exchange&, const Address& address) {
    const auto& id = address.value("id");
    if (id == "throw") throw std::runtime_error("secret");
    if (id == "nothing") return Contents{};
    Contents contents;
    contents.items.push_back(Content::text(id));
    return contents;
  }

  Result<Outcome> call(const Exchange&, std::string_view tool, const Json& arguments) override {
    if (tool.starts_with("bad_")) return next_error;
    Contents contents;
    contents.structured = answer.is_null() ? Json(JsonObject{{"sum", arguments.at("a")}}) : answer;
    return contents;
  }

  Result<Completions> complete(const Exchange&, const CompletionQuery&) override {
    return Completions{std::vector<std::string>(250, "x"), {}};
  }

  Error next_error = not_found("no such number");
  std::optional<Error> list_error;
  int lists = 0;  // how often it was asked for its list
  Json answer;

 private:
  struct Said final : Prompts {
    Result<Page<Prompt>> list(const Exchange&, const ListQuery& query) override {
      return page_of_prompts(all, query);
    }
    std::optional<Prompt> find(std::string_view name) const override {
      const auto found = std::ranges::find(all, name, &Prompt::name);
      return found == all.end() ? std::nullopt : std::optional(*found);
    }
    Result<Outcome> get(const Exchange&, std::string_view, const JsonObject&) override {
      return Contents{};
    }
    std::vector<Prompt> all;
  };

  std::shared_ptr<const Manifest> manifest_;
  Said prompts_;
  int count_;
};

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() {
    auto one = std::make_shared<NumbersProvider>("one", 150);
    first = one.get();
    EXPECT_TRUE(catalog.add(std::move(one)));
    auto two = std::make_shared<NumbersProvider>("two", 70);
    second = two.get();
    EXPECT_TRUE(catalog.add(std::move(two)));
  }

  Exchange exchange() {
    return {who,    std::chrono::steady_clock::now() + std::chrono::seconds(5),
            {},     progress,
            client, answers};
  }

  // Every page but the last is full.
  std::vector<std::string> all_resources(const Engine& asked) {
    std::vector<std::string> uris;
    std::string cursor;
    for (int pages = 0; pages < 20; ++pages) {
      auto page = asked.resources(exchange(), cursor);
      EXPECT_TRUE(page);
      EXPECT_LE(page->items.size(), 100U);
      EXPECT_TRUE(page->next.empty() || page->items.size() == 100);
      for (const auto& entry : page->items) uris.push_back(entry.uri);
      cursor = page->next;
      if (cursor.empty()) break;
    }
    return uris;
  }

  Principal who = Principal::local();
  NoProgress progress;
  ClientAbilities client;
  Answers answers;
  Log log{-1, Log::Form::text, LogLevel::off};
  Events events;
  CatalogSource catalog{events};
  Cache cache;
  PolicySource policy{Policy::local()};
  Engine engine{{catalog, events, policy, cache, log}, {}};
  NumbersProvider* first = nullptr;
  NumbersProvider* second = nullptr;
};

TEST_F(EngineTest, ListsEveryResourceOnceOverPagesAndProviders) {
  const auto uris = all_resources(engine);
  ASSERT_EQ(uris.size(), 220U);
  EXPECT_EQ(uris.front(), "one://0");
  EXPECT_EQ(uris[150], "two://0");
  EXPECT_EQ(std::set<std::string>(uris.begin(), uris.end()).size(), 220U);
}

// Whatever is hidden, a page is full, and a provider is not asked for single items.
TEST_F(EngineTest, FillsPagesWithWhatIsShown) {
  const auto shown_by = [&](std::string_view denied) {
    const auto text = fmt::format(
        "[[rule]]\neffect = \"allow\"\nroles = [\"*\"]\nactions = [\"*\"]\nuris = [\"**\"]\n"
        "[[rule]]\neffect = \"deny\"\nroles = [\"*\"]\nactions = [\"list\"]\nuris = [{}]\n",
        denied);
    const PolicySource some(*parse_policy(text, "test"));
    first->lists = 0;
    return all_resources(Engine({catalog, events, some, cache, log}, {}));
  };
  auto uris = shown_by(R"("one://*5", "two://*7")");
  EXPECT_EQ(uris.size(), 135U + 63U);
  EXPECT_EQ(std::set<std::string>(uris.begin(), uris.end()).size(), uris.size());
  EXPECT_LE(first->lists, 5);
  uris = shown_by(R"("one://*")");
  EXPECT_EQ(uris.size(), 70U);
  EXPECT_EQ(first->lists, 2);
}

// A list that lacks what a provider has is never taken for the whole.
TEST_F(EngineTest, AListStopsAtAProviderThatIsBusy) {
  const Error busy{Code::unavailable, "busy", std::chrono::seconds(1)};
  second->list_error = busy;
  const auto one = engine.resources(exchange(), "");
  ASSERT_TRUE(one);
  const auto two = engine.resources(exchange(), one->next);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->items.size(), 50U);  // the rest of the first provider's
  const auto failed = engine.resources(exchange(), two->next);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Code::unavailable);
  EXPECT_EQ(failed.error().message, "busy");
  second->list_error.reset();
  const auto three = engine.resources(exchange(), two->next);
  ASSERT_TRUE(three);
  EXPECT_EQ(three->items.size(), 70U);
  EXPECT_EQ(three->next, "");
  first->list_error = busy;
  EXPECT_FALSE(engine.resources(exchange(), ""));
}

TEST_F(EngineTest, AListLeavesOutAProviderThatIsBroken) {
  first->list_error = internal("broken");
  const auto listed = engine.resources(exchange(), "");
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->items.size(), 70U);
}

TEST_F(EngineTest, ListsNoMoreThanItMay) {
  EngineOptions options;
  options.list_max = 170;
  const Engine shorter({catalog, events, policy, cache, log}, options);
  std::size_t count = 0;
  std::string cursor;
  do {
    const auto page = shorter.resources(exchange(), cursor);
    ASSERT_TRUE(page);
    count += page->items.size();
    cursor = page->next;
  } while (!cursor.empty());
  EXPECT_EQ(count, 170U);
}

TEST_F(EngineTest, AnswersBusyWhenAProviderHasTooManyCalls) {
  const auto now = catalog.current();
  std::deque<ProviderCall> calls;
  for (std::size_t i = 0; i < first->manifest()->calls_at_once; ++i)
    calls.emplace_back(*now->members().front(), Principal::owner());
  EXPECT_EQ(engine.read(exchange(), "one://7").error().code, Code::unavailable);
  EXPECT_TRUE(engine.read(exchange(), "two://7"));
  calls.pop_back();
  EXPECT_TRUE(engine.read(exchange(), "one://7"));
}

TEST_F(EngineTest, GuestsLeaveAProviderRoomForOthers) {
  const auto now = catalog.current();
  const Member& member = *now->members().front();
  const std::size_t limit = member.manifest->calls_at_once;
  std::deque<ProviderCall> calls;
  for (std::size_t i = 0; i < limit - limit / 4; ++i) {
    calls.emplace_back(member, Principal::visitor());
    EXPECT_TRUE(calls.back().admitted());
  }
  EXPECT_FALSE(ProviderCall(member, Principal::visitor()).admitted());
  EXPECT_TRUE(ProviderCall(member, Principal::owner()).admitted());
  calls.pop_back();
  EXPECT_TRUE(ProviderCall(member, Principal::visitor()).admitted());
}

TEST_F(EngineTest, CountsTokensOnceAndMarksEstimates) {
  const auto reading = engine.read(exchange(), "one://7");
  ASSERT_TRUE(reading);
  const auto& cached = *std::get<std::shared_ptr<const Cached>>(*reading);
  EXPECT_FALSE(cached.known_tokens());
  const auto counted = cached.tokens();
  EXPECT_GT(counted.tokens, 0U);
  EXPECT_FALSE(counted.estimated);
  ASSERT_TRUE(cached.known_tokens());
  EXPECT_EQ(cached.known_tokens()->tokens, counted.tokens);

  Contents large;
  large.items.push_back(Content::text(std::string(300 * 1024, 'a')));
  EXPECT_TRUE(count_tokens(large).estimated);
}

TEST_F(EngineTest, RefusesForeignCursors) {
  const auto tools = engine.tools(exchange(), "");
  ASSERT_TRUE(tools);
  for (const char* cursor : {"rubbish", "!!", "cm9uZQ", "dG9uZQphYmM"}) {
    EXPECT_EQ(engine.tools(exchange(), cursor).error().code, Code::invalid) << cursor;
  }
  const auto page = engine.resources(exchange(), "");
  EXPECT_EQ(engine.tools(exchange(), page->next).error().code, Code::invalid);
}

TEST_F(EngineTest, ReadsByOwnerAndHidesWhatAProviderThrows) {
  EXPECT_TRUE(engine.read(exchange(), "two://7"));
  EXPECT_EQ(engine.read(exchange(), "three://7").error().code, Code::not_found);
  EXPECT_EQ(engine.read(exchange(), "not a uri").error().code, Code::invalid);
  EXPECT_EQ(engine.read(exchange(), "one://nothing").error().code, Code::not_found);
  const auto thrown = engine.read(exchange(), "one://throw");
  EXPECT_EQ(thrown.error().code, Code::internal);
  EXPECT_EQ(thrown.error().message.find("secret"), std::string::npos);
}

TEST_F(EngineTest, ChecksArgumentsAndAnswersOfTools) {
  auto outcome = engine.call(exchange(), "add_one", JsonObject{{"a", "x"}});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(std::get<Contents>(*outcome).failed);
  EXPECT_EQ(std::get<Contents>(*outcome).items[0].bytes,
            "The arguments of add_one do not fit its input schema:\n"
            "- /a: must be an integer, is a string");

  outcome = engine.call(exchange(), "add_one", JsonObject{{"a", 1}});
  EXPECT_FALSE(std::get<Contents>(*outcome).failed);
  first->answer = JsonObject{{"difference", 1}};
  EXPECT_EQ(engine.call(exchange(), "add_one", JsonObject{{"a", 1}}).error().code, Code::internal);
  EXPECT_EQ(engine.call(exchange(), "nothing", JsonObject{}).error().code, Code::not_found);
}

TEST_F(EngineTest, TellsAModelWhatItCanMend) {
  auto outcome = engine.call(exchange(), "bad_one", JsonObject{});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(std::get<Contents>(*outcome).failed);
  first->next_error = {Code::denied, "not for you", {}};
  EXPECT_EQ(engine.call(exchange(), "bad_one", JsonObject{}).error().code, Code::denied);
}

TEST_F(EngineTest, WantsThePromptsRequiredArguments) {
  EXPECT_TRUE(engine.prompt(exchange(), "say_two", {{"word", "hello"}, {"a", 1}}));
  EXPECT_EQ(engine.prompt(exchange(), "say_two", {}).error().message,
            "the prompt say_two needs the argument \"word\"");
  EXPECT_EQ(engine.prompt(exchange(), "say_three", {}).error().code, Code::not_found);
}

TEST_F(EngineTest, RefusesCredentialsInAddresses) {
  for (const char* uri :
       {"one://3?token=secret", "one://3?a=1&API%5Fkey=secret", "nobody://3?apikey=x"}) {
    const auto refused = engine.read(exchange(), uri);
    ASSERT_FALSE(refused) << uri;
    EXPECT_EQ(refused.error().code, Code::invalid) << uri;
    EXPECT_NE(refused.error().message.find("Authorization"), std::string::npos);
    EXPECT_EQ(refused.error().message.find("secret"), std::string::npos);
    EXPECT_EQ(engine.admit(who, Action::subscribe, uri).error().code, Code::invalid);
  }
  EXPECT_TRUE(engine.read(exchange(), "one://3?tokens=1"));
}

// Names that no address can hold are names of nothing.
TEST_F(EngineTest, FindsNothingUnderNamesThatNoAddressHas) {
  const std::string names[] = {std::string(1, '\0'),  "../x", "..", ".", "a/../../b", "",
                               std::string(9000, 'a')};
  for (const auto& name : names) {
    const auto called = engine.call(exchange(), name, JsonObject());
    ASSERT_FALSE(called) << name;
    EXPECT_EQ(called.error().code, Code::not_found) << name;
    EXPECT_LT(called.error().message.size(), 200U);
    const auto prompted = engine.prompt(exchange(), name, {});
    ASSERT_FALSE(prompted) << name;
    EXPECT_EQ(prompted.error().code, Code::not_found) << name;
    CompletionQuery query;
    query.name = name;
    EXPECT_EQ(engine.complete(exchange(), query).error().code, Code::not_found) << name;
    query.of = CompletionQuery::Of::resource;
    EXPECT_EQ(engine.complete(exchange(), query).error().code, Code::not_found) << name;
  }
}

TEST_F(EngineTest, CutsCompletionsAndSaysHowManyThereAre) {
  const auto found =
      engine.complete(exchange(), {CompletionQuery::Of::resource, "one://{id}", "id", "", {}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->values.size(), 100U);
  EXPECT_EQ(found->total, 250U);
  EXPECT_EQ(
      engine.complete(exchange(), {CompletionQuery::Of::prompt, "none", "a", "", {}}).error().code,
      Code::not_found);
}

TEST_F(EngineTest, CatalogRefusesWhatCollides) {
  EXPECT_FALSE(catalog.add(std::make_shared<NumbersProvider>("one", 1)));
  const auto status = catalog.add(std::make_shared<NumbersProvider>("two", 1));
  EXPECT_EQ(status.error().message, "adding provider two: two providers have the name two");
}

TEST_F(EngineTest, RecordsEachRequestOnceWithWhatItDecided) {
  struct Record {
    Action action;
    std::string address;
    Access::Verdict verdict;
    std::size_t bytes, asked, refused;
    bool operator==(const Record&) const = default;
  };
  std::vector<Record> records;
  const auto note = [&](const Access& access) {
    records.push_back({access.action, std::string(access.address), access.verdict, access.bytes,
                       access.asked, access.refused});
  };
  PolicySource some(*Policy::make(
      {{true, {"*"}, {Action::read, Action::list}, {*Glob::parse("one://**")}, {}, {}},
       {false, {"*"}, {Action::read, Action::list}, {*Glob::parse("one://1*")}, {}, {}}},
      {}));
  const Engine recorded({catalog, events, some, cache, log, {}, note}, {});
  using enum Access::Verdict;
  ASSERT_TRUE(recorded.read(exchange(), "one://25"));
  ASSERT_NE(recorded.warm(exchange(), "one://25"), nullptr);
  ASSERT_FALSE(recorded.read(exchange(), "one://1"));
  ASSERT_FALSE(recorded.read(exchange(), "one://nothing"));
  const std::vector<Record> reads{{Action::read, "one://25", allowed, 2, 0, 0},
                                  {Action::read, "one://25", allowed, 2, 0, 0},
                                  {Action::read, "one://1", refused, 0, 0, 0},
                                  {Action::read, "one://nothing", refused, 0, 0, 0}};
  EXPECT_EQ(records, reads) << "a warm read is recorded like the others";
  records.clear();
  // Of 150 numbers 61 begin with a 1; of the other provider nothing is allowed.
  const auto page = recorded.resources(exchange(), "");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->items.size(), 89U);
  ASSERT_EQ(records.size(), 1U) << "filtering is one record";
  EXPECT_EQ(records[0].action, Action::list);
  EXPECT_EQ(records[0].verdict, allowed);
  EXPECT_EQ(records[0].asked, 220U);
  EXPECT_EQ(records[0].refused, 131U);
}

TEST_F(EngineTest, CatalogRefusesTemplatesThatCannotBeToldApart) {
  struct Stray final : Provider {
    explicit Stray(std::string name, std::string uri_template) {
      Manifest manifest;
      manifest.name = std::move(name);
      manifest.routes = {{{std::move(uri_template), "x", "", "", ""}, &NumbersProvider::read}};
      made = std::make_shared<const Manifest>(std::move(manifest));
    }
    std::shared_ptr<const Manifest> manifest() const override { return made; }
    std::shared_ptr<const Manifest> made;
  };
  EXPECT_TRUE(catalog.add(std::make_shared<Stray>("a", "ui://{name}{?q}")));
  EXPECT_FALSE(catalog.add(std::make_shared<Stray>("b", "ui://{other}")));
  EXPECT_TRUE(catalog.add(std::make_shared<Stray>("c", "ui://{+rest}")));
  EXPECT_TRUE(catalog.add(std::make_shared<Stray>("d", "ui://b/{name}")));
}

TEST_F(EngineTest, GivesNothingOutOfTheCacheOfAProviderThatIsGone) {
  int heard = 0;
  const auto subscription = events.listen(
      [&](const Change& change) { heard += concerns(change, *Uri::parse("one://7")) ? 1 : 0; });
  ASSERT_TRUE(engine.read(exchange(), "one://7"));
  ASSERT_TRUE(engine.read(exchange(), "two://7"));
  ASSERT_NE(engine.warm(exchange(), "one://7"), nullptr);
  ASSERT_TRUE(catalog.remove("one"));
  EXPECT_EQ(engine.warm(exchange(), "one://7"), nullptr);
  EXPECT_FALSE(engine.read(exchange(), "one://7"));
  EXPECT_NE(engine.warm(exchange(), "two://7"), nullptr);
  EXPECT_EQ(heard, 1);
  ASSERT_TRUE(catalog.add(std::make_shared<NumbersProvider>("one", 1)));
  EXPECT_EQ(engine.warm(exchange(), "one://7"), nullptr);
}

TEST_F(EngineTest, GivesNothingOutThatWasReadWhileItsProviderWent) {
  struct Leaving final : Provider {
    explicit Leaving(CatalogSource& catalog) {
      Manifest manifest;
      manifest.name = "leaving";
      manifest.families = {{"leaving:"}};
      manifest.routes = {{{"leaving://{id}", "x", "", "", ""},
                          [&catalog](const Exchange& exchange, const Address& address) {
                            EXPECT_TRUE(catalog.remove("leaving"));
                            return NumbersProvider::read(exchange, address);
                          }}};
      made = std::make_shared<const Manifest>(std::move(manifest));
    }
    std::shared_ptr<const Manifest> manifest() const override { return made; }
    Resources* resources() override { return &none; }
    std::shared_ptr<const Manifest> made;
    struct None final : Resources {
      Result<Page<Entry>> list(const Exchange&, const ListQuery&) override { return Page<Entry>{}; }
    } none;
  };
  ASSERT_TRUE(catalog.add(std::make_shared<Leaving>(catalog)));
  EXPECT_TRUE(engine.read(exchange(), "leaving://1")) << "the call that began goes on";
  EXPECT_EQ(engine.warm(exchange(), "leaving://1"), nullptr);
}

}  // namespace
}  // namespace lode
