#include "providers/capability/manage.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/tokens.h"
#include "providers/capability/manage_fixture.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

class ManageTest : public ManageFixture {};

const char* const kReviewer =
    "---\n"
    "# A comment\n"
    "description: \"Reviews code\"   # another\n"
    "name: 'Reviewer'\n"
    "version: 1.2.3\n"
    "updated: 2025-01-01\n"
    "response_style:\n"
    "    tone: dry  # very\n"
    "    formality: formal\n"
    "mine: {a: [1,2], b: ~}\n"
    "tags: [code, go]\n"
    "---\n"
    "\n"
    "You review code.\n";

// ---- create ----

TEST_F(ManageTest, CreatesAFile) {
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"Code Reviewer!",
                   "description":"Reviews code","fields":{"tags":["go"],"system_prompt":"Be: terse"},
                   "body":"You review code."})"),
            "created capability-index://elements/persona/code-reviewer (version 1.0.0, "
            "persona/code-reviewer.md of the workspace)");
  EXPECT_EQ(read("persona/code-reviewer.md"),
            "---\nname: Code Reviewer!\ndescription: Reviews code\nversion: 1.0.0\n"
            "created: \"2026-01-15T13:05:01Z\"\nupdated: \"2026-01-15T13:05:01Z\"\n"
            "tags:\n  - go\nsystem_prompt: \"Be: terse\"\n---\n\nYou review code.\n");
  const auto found = collection().find(ElementType::persona, "code-reviewer");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "Code Reviewer!");
  EXPECT_TRUE(found->of_workspace);
}

TEST_F(ManageTest, APlaceholderThatIsNotDeclaredIsNoReasonToRefuse) {
  EXPECT_TRUE(run(R"({"operation":"create","type":"template","name":"Letter","description":"d",
                     "body":"Dear {{name}}, {{text}}","fields":{"variables":[{"name":"name"}]}})")
                  .starts_with("created capability-index://elements/template/letter"));
}

TEST_F(ManageTest, CreatesForTheUser) {
  run(R"({"operation":"create","type":"skills","name":"PDF","description":"d","scope":"user"})");
  EXPECT_TRUE(exists("home/skill/pdf.md"));
  EXPECT_FALSE(collection().find(ElementType::skill, "pdf")->of_workspace);
}

TEST_F(ManageTest, CreatesWithAnIdAndAVersion) {
  EXPECT_EQ(run(R"({"operation":"create","type":"memory","name":"Notes","description":"d",
                   "id":"Notes/2026","fields":{"version":"0.1.0"}})"),
            "created capability-index://elements/memory/Notes%2F2026 (version 0.1.0, "
            "memory/notes-2026.md of the workspace)");
  EXPECT_TRUE(collection().find(ElementType::memory, "Notes/2026"));
}

TEST_F(ManageTest, NamesCannotLeaveTheFolder) {
  for (const char* name : {"../../../outside", "/etc/outside", "..\\outside", "a/../outside"}) {
    run(to_text(JsonObject{
        {"operation", "create"}, {"type", "persona"}, {"name", name}, {"description", "d"}}));
  }
  EXPECT_TRUE(exists("persona/outside.md"));
  EXPECT_TRUE(exists("persona/etc-outside.md"));
  EXPECT_TRUE(exists("persona/a-outside.md"));
  EXPECT_FALSE(std::filesystem::exists(tree / "outside.md"));
  EXPECT_FALSE(std::filesystem::exists(tree / "w/outside.md"));
}

TEST_F(ManageTest, AWorkspaceMayHaveItsOwnBesideTheUsers) {
  run(R"({"operation":"create","type":"persona","name":"A","description":"d","scope":"user"})");
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"A","description":"other"})"),
            "error: there is a persona \"a\" already: change it with "
            R"({"operation":"update","type":"persona","id":"a","fields":{…}}; )"
            "or, for one that counts in this workspace alone, create it with "
            R"("scope":"workspace")");
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"A","description":"other",
                   "scope":"workspace"})"),
            "created capability-index://elements/persona/a (version 1.0.0, persona/a.md of the "
            "workspace)");
  EXPECT_EQ(collection().find(ElementType::persona, "a")->description, "other");
}

TEST_F(ManageTest, TwoProcessesCannotCreateTheSame) {
  Process other(*this);
  const char* call = R"({"operation":"create","type":"persona","name":"A","description":"d"})";
  other.collection.load(ElementType::persona);
  EXPECT_TRUE(run(call).starts_with("created"));
  EXPECT_TRUE(run(other.manager, call).starts_with("error: there is a persona \"a\" already"));
}

// ---- update ----

TEST_F(ManageTest, AnUpdateChangesTheBytesOfItsKeysOnly) {
  write("persona/reviewer.md", kReviewer);
  EXPECT_EQ(run(R"({"operation":"update","type":"persona","id":"reviewer",
                   "fields":{"response_style":{"tone":"warm"},"tags":["code","go","c"]}})"),
            "updated capability-index://elements/persona/reviewer: response_style.tone, tags "
            "(version 1.2.3 → 1.2.4, persona/reviewer.md of the workspace)");
  std::string expected = kReviewer;
  const auto put = [&](const std::string& old, const std::string& text) {
    expected.replace(expected.find(old), old.size(), text);
  };
  put("tone: dry", "tone: warm");
  put("[code, go]", "[code, go, c]");
  put("1.2.3", "1.2.4");
  put("updated: 2025-01-01", "updated: 2026-01-15T13:05:01Z");
  EXPECT_EQ(read("persona/reviewer.md"), expected);
  EXPECT_EQ(collection().find(ElementType::persona, "reviewer")->tags.size(), 3U);
}

TEST_F(ManageTest, CarriageReturnsStay) {
  write("persona/a.md", "---\r\nname: A\r\ndescription: d\r\nversion: 1.0.0\r\n---\r\n\r\nOne\r\n");
  run(R"({"operation":"update","type":"persona","id":"a","description":"e","body":"One\nTwo"})");
  EXPECT_EQ(read("persona/a.md"),
            "---\r\nname: A\r\ndescription: e\r\nversion: 1.0.1\r\n"
            "updated: \"2026-01-15T13:05:01Z\"\r\n---\r\n\r\nOne\r\nTwo\r\n");
}

TEST_F(ManageTest, NothingNewIsNotWritten) {
  write("persona/reviewer.md", kReviewer);
  const auto before = std::filesystem::last_write_time(tree / path("persona/reviewer.md"));
  EXPECT_EQ(run(R"({"operation":"update","type":"persona","id":"reviewer",
                   "fields":{"name":"Reviewer","tags":["code","go"],"not there":null},
                   "body":"You review code."})"),
            "nothing was written: capability-index://elements/persona/reviewer says this already");
  EXPECT_EQ(read("persona/reviewer.md"), kReviewer);
  EXPECT_EQ(std::filesystem::last_write_time(tree / path("persona/reviewer.md")), before);
}

TEST_F(ManageTest, ANewNameDoesNotMoveTheFile) {
  write("persona/reviewer.md", kReviewer);
  run(R"({"operation":"update","type":"persona","id":"Reviewer","name":"Critic"})");
  EXPECT_TRUE(exists("persona/reviewer.md"));
  EXPECT_EQ(collection().find(ElementType::persona, "critic")->id, "reviewer");
}

TEST_F(ManageTest, AnElementOfTheUserIsChangedThere) {
  write("home/persona/a.md", "---\nname: A\ndescription: d\n---\n");
  run(R"({"operation":"update","type":"persona","id":"a","description":"e"})");
  EXPECT_EQ(read("home/persona/a.md"),
            "---\nname: A\ndescription: e\nversion: 1.0.1\nupdated: \"2026-01-15T13:05:01Z\"\n"
            "---\n");
  EXPECT_FALSE(exists("persona/a.md"));
}

TEST_F(ManageTest, AnAgentSkillGetsNoFieldsOfOurs) {
  write("skill/pdf/SKILL.md", "---\nname: pdf\ndescription: d\n---\nBody\n");
  run(R"({"operation":"update","type":"skill","id":"pdf","description":"e"})");
  EXPECT_EQ(read("skill/pdf/SKILL.md"), "---\nname: pdf\ndescription: e\n---\nBody\n");
}

TEST_F(ManageTest, AnElementOfNexsKeepsItsShape) {
  write("agent/2025-01-01/x.yaml",
        "metadata:\n  id: agent_x_1\n  name: X\n  description: d\n  version: 1.0.0\n"
        "  updatedat: 2025-01-01T00:00:00Z\ndata:\n  goals: [a]\n  max_iterations: 5\n");
  EXPECT_EQ(run(R"({"operation":"update","type":"agent","id":"agent_x_1",
                   "fields":{"max_iterations":7}})"),
            "updated capability-index://elements/agent/agent_x_1: data.max_iterations (version "
            "1.0.0 → 1.0.1, agent/2025-01-01/x.yaml of the workspace)");
  EXPECT_EQ(read("agent/2025-01-01/x.yaml"),
            "metadata:\n  id: agent_x_1\n  name: X\n  description: d\n  version: 1.0.1\n"
            "  updatedat: 2026-01-15T13:05:01Z\ndata:\n  goals: [a]\n  max_iterations: 7\n");
}

TEST_F(ManageTest, TwoWritersLoseNothing) {
  write("memory/m.md", "---\nname: M\ndescription: d\nversion: 1.0.0\n---\n");
  constexpr int kEach = 15;
  std::atomic<int> failed = 0;
  const auto work = [&](const std::string& prefix) {
    Process process(*this);
    for (int i = 0; i < kEach; ++i) {
      const auto answer =
          run(process.manager,
              to_text(JsonObject{{"operation", "update"},
                                 {"type", "memory"},
                                 {"id", "m"},
                                 {"fields", JsonObject{{prefix + std::to_string(i), i}}}}));
      if (!answer.starts_with("updated")) ++failed;
    }
  };
  std::thread one(work, "a");
  std::thread two(work, "b");
  one.join();
  two.join();
  EXPECT_EQ(failed, 0);
  const auto text = read("memory/m.md");
  for (int i = 0; i < kEach; ++i) {
    EXPECT_NE(text.find("\na" + std::to_string(i) + ": "), text.npos);
    EXPECT_NE(text.find("\nb" + std::to_string(i) + ": "), text.npos);
  }
  EXPECT_NE(text.find("version: 1.0.30\n"), text.npos);
}

TEST_F(ManageTest, AFileThatAnEditorChangedMeanwhileIsNotOverwritten) {
  write("persona/a.md", "---\nname: A\ndescription: d\n---\n");
  auto files = ElementFiles::open(folders().workspace, true).value();
  const auto old = files.read("persona/a.md").value();
  write("persona/a.md", "---\nname: A\ndescription: by hand\n---\n");
  const auto written = files.replace("persona/a.md", "rubbish", old.stamp);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::conflict);
  EXPECT_EQ(written.error().message,
            "persona/a.md was changed by somebody else meanwhile; nothing was written. Look at it "
            "and try again");
  EXPECT_EQ(read("persona/a.md"), "---\nname: A\ndescription: by hand\n---\n");
}

TEST_F(ManageTest, WhoeverHasTheFolderIsWaitedForAWhile) {
  auto files = ElementFiles::open(folders().workspace, true).value();
  const auto other = ElementFiles::open(folders().workspace, true, 50ms);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Code::unavailable);
  EXPECT_EQ(other.error().message, "another process is changing elements; try again");
}

// ---- delete, restore ----

TEST_F(ManageTest, WhatIsDeletedComesBackAsItWas) {
  write("persona/reviewer.md", kReviewer);
  EXPECT_EQ(
      run(R"({"operation":"delete","type":"persona","id":"reviewer"})"),
      "deleted capability-index://elements/persona/reviewer (persona/reviewer.md of the "
      R"(workspace). Undo: {"operation":"restore","id":"20260115T130501.000000Z~persona~reviewer"})");
  EXPECT_FALSE(exists("persona/reviewer.md"));
  EXPECT_FALSE(collection().find(ElementType::persona, "reviewer"));
  EXPECT_TRUE(std::filesystem::exists(
      tree / "state/trash/20260115T130501.000000Z~persona~reviewer/workspace/persona/reviewer.md"));
  EXPECT_EQ(run(R"({"operation":"restore","type":"persona","id":"Reviewer"})"),
            "restored capability-index://elements/persona/reviewer (persona/reviewer.md of the "
            "workspace)");
  EXPECT_EQ(read("persona/reviewer.md"), kReviewer);
  EXPECT_TRUE(collection().find(ElementType::persona, "reviewer"));
  EXPECT_TRUE(std::filesystem::is_empty(tree / "state/trash"));
}

TEST_F(ManageTest, TheLatestComesBackAndNothingIsOverwritten) {
  const auto del = R"({"operation":"delete","type":"persona","id":"a"})";
  const auto res = R"({"operation":"restore","type":"persona","id":"a"})";
  for (const char* text : {"first", "second"}) {
    write("persona/a.md", std::string("---\nname: A\ndescription: ") + text + "\n---\n");
    EXPECT_TRUE(run(del).starts_with("deleted")) << text;
  }
  EXPECT_TRUE(run(res).starts_with("restored"));
  EXPECT_NE(read("persona/a.md").find("second"), std::string::npos);
  EXPECT_EQ(run(res),
            "error: there is a persona \"a\" again (persona/a.md): delete it, then restore this "
            R"(one with {"operation":"restore","id":"20260115T130501.000000Z~persona~a"})");
  EXPECT_NE(read("persona/a.md").find("second"), std::string::npos);
  run(del);
  EXPECT_TRUE(run(R"({"operation":"restore","id":"20260115T130501.000000Z~persona~a"})")
                  .starts_with("restored"));
  EXPECT_NE(read("persona/a.md").find("first"), std::string::npos);
}

TEST_F(ManageTest, AFileInItsPlaceIsNotOverwritten) {
  write("persona/a.md", "---\nname: A\ndescription: d\n---\n");
  run(R"({"operation":"delete","type":"persona","id":"a"})");
  write("persona/a.md", "broken: [");
  EXPECT_EQ(run(R"({"operation":"restore","type":"persona","id":"a"})"),
            "error: restoring persona/a.md: there is something in its place");
  EXPECT_EQ(read("persona/a.md"), "broken: [");
}

TEST_F(ManageTest, ASkillsFolderMovesWhole) {
  write("skill/pdf/SKILL.md", "---\nname: pdf\ndescription: d\n---\nBody\n");
  write("skill/pdf/scripts/run.sh", "echo\n");
  EXPECT_TRUE(run(R"({"operation":"delete","type":"skill","id":"pdf"})").starts_with("deleted"));
  EXPECT_FALSE(exists("skill/pdf"));
  EXPECT_TRUE(run(R"({"operation":"restore","type":"skill","id":"pdf"})").starts_with("restored"));
  EXPECT_EQ(read("skill/pdf/scripts/run.sh"), "echo\n");
}

TEST_F(ManageTest, TheUsersCountsWhenTheWorkspacesHasGone) {
  write("persona/a.md", "---\nname: A\ndescription: w\n---\n");
  write("home/persona/a.md", "---\nname: A\ndescription: u\n---\n");
  run(R"({"operation":"activate","type":"persona","id":"a"})");
  EXPECT_NE(run(R"({"operation":"delete","type":"persona","id":"a"})")
                .find("; now persona/a.md of the user counts. Undo: "),
            std::string::npos);
  EXPECT_TRUE(active_.is_active(ElementType::persona, "a").value());
  run(R"({"operation":"delete","type":"persona","id":"a"})");
  EXPECT_FALSE(active_.is_active(ElementType::persona, "a").value());
}

// ---- activate, render ----

TEST_F(ManageTest, ActivatesAndDeactivates) {
  write("persona/a.md", "---\nname: Big A\ndescription: d\n---\n");
  const std::string where =
      ": resource capability-index://elements/persona/a; prompt persona-a; all that are active: "
      "capability-index://active";
  EXPECT_EQ(run(R"({"operation":"activate","type":"persona","id":"big a"})"),
            "persona \"a\" is now active" + where);
  EXPECT_EQ(run(R"({"operation":"activate","id":"persona:a"})"),
            "persona \"a\" was already active" + where);
  EXPECT_TRUE(active_.is_active(ElementType::persona, "a").value());
  EXPECT_EQ(run(R"({"operation":"deactivate","id":"capability-index://elements/persona/a"})"),
            "persona \"a\" is now inactive");
  EXPECT_EQ(run(R"({"operation":"deactivate","type":"persona","id":"a"})"),
            "persona \"a\" was already inactive");
}

TEST_F(ManageTest, Renders) {
  write("template/letter.md",
        "---\nname: Letter\ndescription: d\nvariables:\n  - name: to\n    description: whom\n"
        "    required: true\n  - {name: end, default: Yours}\n---\n\nDear {{to}},\n{{end}}\n");
  EXPECT_EQ(run(R"({"operation":"render","id":"letter","values":{"to":"Ada"}})"),
            "Dear Ada,\nYours\n");
  EXPECT_EQ(run(R"({"operation":"render","id":"letter"})"),
            "error: no value for \"to\" (whom). Call: "
            R"({"operation":"render","id":"letter","values":{"to":"…"}})");
}

// ---- the whole ----

TEST_F(ManageTest, ACycleOfRelationsDoesNoHarm) {
  write("agent/a.md", "---\nname: A\ndescription: d\nrelated: [agent:b]\n---\n");
  write("agent/b.md", "---\nname: B\ndescription: d\nrelated: [agent:a, agent:b]\n---\n");
  collection().start();
  collection().wait_loaded();
  EXPECT_EQ(run(R"({"operation":"update","type":"agent","id":"a","description":"e"})"),
            "updated capability-index://elements/agent/a: description (version 1.0.0 → 1.0.1, "
            "agent/a.md of the workspace)");
  EXPECT_TRUE(run(R"({"operation":"delete","type":"agent","id":"a"})").starts_with("deleted"));
  EXPECT_EQ(run(R"({"operation":"update","type":"agent","id":"b","description":"e"})"),
            "updated capability-index://elements/agent/b: description (version 1.0.0 → 1.0.1, "
            "agent/b.md of the workspace)\nnote: relates to \"agent:a\", which is not there");
  EXPECT_TRUE(run(R"({"operation":"restore","type":"agent","id":"a"})").starts_with("restored"));
}

TEST_F(ManageTest, AStartedCollectionFollowsTheWrites) {
  collection().start();
  collection().wait_loaded();
  run(R"({"operation":"create","type":"persona","name":"A","description":"unmistakable"})");
  EXPECT_TRUE(collection().find(ElementType::persona, "a"));
  const auto hits = index_.search("unmistakable", {});
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].key, "capability-index://elements/persona/a");
}

TEST_F(ManageTest, OtherOperationsCanBeAdded) {
  manager_->add({"import", "path", "", R"({"operation":"import","path":"x"})",
                 [](const ElementGate&, const JsonObject& arguments) -> Result<Contents> {
                   Contents contents;
                   contents.items.push_back(Content::text(to_text(arguments)));
                   return contents;
                 }});
  EXPECT_EQ(run(R"({"operation":"import","path":"y"})"), R"({"operation":"import","path":"y"})");
  EXPECT_EQ(run(R"({"operation":"import"})"),
            R"(error: import needs "path". Example: {"operation":"import","path":"x"})");
}

TEST(ElementManageTool, CostsLittle) {
  const auto tool = element_manage_tool();
  const auto text = to_text(JsonObject{
      {"name", tool.name}, {"description", tool.description}, {"inputSchema", tool.input_schema}});
  const auto tokens = Tokenizer::o200k().count(text);
  RecordProperty("tokens", static_cast<int>(tokens));
  EXPECT_LT(tokens, 200U) << text;
}

}  // namespace
}  // namespace lode
