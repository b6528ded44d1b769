// What the tool says to a call that is wrong, and that nothing is lost by it.
#include <unistd.h>

#include "providers/capability/manage_fixture.h"

namespace lode {
namespace {

class ManageErrorsTest : public ManageFixture {
 protected:
  ManageErrorsTest() { write("persona/reviewer.md", kText); }

  static constexpr const char* kText = "---\nname: Reviewer\ndescription: d\n---\n";
};

TEST_F(ManageErrorsTest, UnknownAndMissingWords) {
  const std::string create =
      R"(Example: {"operation":"create","type":"persona","name":"Reviewer","description":"Reviews code","fields":{"tags":["code"]},"body":"You review code."})";
  const std::string all =
      "create, update, append, read, list, delete, restore, activate, deactivate, render";
  EXPECT_EQ(run("{}"), "error: \"operation\" is missing; there are " + all + ". " + create);
  EXPECT_EQ(run("[]"), "error: \"operation\" is missing; there are " + all + ". " + create);
  EXPECT_EQ(run(R"({"operation":"updte"})"),
            "error: there is no operation \"updte\" (did you mean \"update\"?); there are " + all);
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"A"})"),
            "error: create needs \"description\". " + create);
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"","description":"d"})"),
            "error: create needs \"name\". " + create);
  EXPECT_EQ(
      run(R"({"operation":"update","id":"reviewer"})"),
      "error: update needs \"type\". Example: "
      R"({"operation":"update","type":"persona","id":"reviewer","fields":{"tags":["code","go"],"category":null}})");
  EXPECT_EQ(run(R"({"operation":"delete","type":"persona","ID":"x"})"),
            "error: delete has no argument \"ID\" (did you mean \"id\"?). Example: "
            R"({"operation":"delete","type":"persona","id":"reviewer"})");
  EXPECT_EQ(run(R"({"operation":"render","id":"x","values":["a"]})"),
            "error: \"values\" is to be an object. Example: "
            R"({"operation":"render","id":"letter","values":{"to":"Ada"}})");
  EXPECT_EQ(run(R"({"operation":"activate","type":"persona","id":7})"),
            "error: \"id\" is to be a string. Example: "
            R"({"operation":"activate","type":"persona","id":"reviewer"})");
  EXPECT_EQ(run(R"({"operation":"delete","type":"persna","id":"x"})"),
            "error: \"persna\" is no type of elements (did you mean \"persona\"?); there are "
            "persona, skill, template, agent, ensemble, memory");
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"A","description":"d",
                   "scope":"global"})"),
            "error: \"scope\" is workspace or user, not \"global\"");
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"A","description":"d",
                   "fields":{"name":"B"}})"),
            "error: \"name\" is given twice, and not alike");
  EXPECT_EQ(run(R"({"operation":"render","type":"persona","id":"reviewer"})"),
            "error: a persona cannot be rendered, only a template");
}

TEST_F(ManageErrorsTest, NoSuchElement) {
  EXPECT_EQ(run(R"({"operation":"update","type":"persona","id":"reviwer","fields":{}})"),
            "error: no persona has the id \"reviwer\" (did you mean \"reviewer\"?); "
            "capability-index://elements/persona lists them");
  EXPECT_EQ(code(R"({"operation":"delete","type":"skill","id":"reviewer"})"), Code::not_found);
  EXPECT_EQ(run(R"({"operation":"restore","type":"persona","id":"x"})"),
            "error: the trash has no persona \"x\"");
  EXPECT_EQ(run(R"({"operation":"restore","id":"20260101T000000.000000Z~persona~x"})"),
            "error: the trash has no entry \"20260101T000000.000000Z~persona~x\"");
  EXPECT_EQ(run(R"({"operation":"restore","id":"../~x"})"),
            "error: the trash has no entry \"../~x\"");
  EXPECT_EQ(run(R"({"operation":"restore","id":"x"})"),
            "error: \"type\" is missing; there are persona, skill, template, agent, ensemble, "
            "memory");
  EXPECT_EQ(code(R"({"operation":"deactivate","type":"persona","id":"gone"})"), Code::not_found);
}

TEST_F(ManageErrorsTest, AnIdThatIsThere) {
  const char* again =
      R"({"operation":"create","type":"persona","name":"Reviewer","description":"d"})";
  EXPECT_EQ(code(again), Code::conflict);
  EXPECT_EQ(run(again),
            "error: there is a persona \"reviewer\" already: change it with "
            R"({"operation":"update","type":"persona","id":"reviewer","fields":{…}})");
  EXPECT_EQ(read("persona/reviewer.md"), kText);
}

TEST_F(ManageErrorsTest, AFileThatIsInTheWayAndIsNoElement) {
  write("persona/new.md", "no frontmatter\n");
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"New","description":"d"})"),
            "error: the file persona/new.md is there already");
  EXPECT_EQ(read("persona/new.md"), "no frontmatter\n");
}

TEST_F(ManageErrorsTest, Names) {
  const auto create = [&](const std::string& name) {
    return run(to_text(JsonObject{
        {"operation", "create"}, {"type", "persona"}, {"name", name}, {"description", "d"}}));
  };
  EXPECT_EQ(create(std::string("a\0b", 3)), "error: \"name\" has a control character in it");
  EXPECT_EQ(create("a\nb"), "error: \"name\" has a control character in it");
  EXPECT_EQ(create("../.."), "error: \"name\" needs a letter or a digit");
  EXPECT_EQ(create(std::string(5000, 'a')),
            "error: nothing was written: name is longer than 100 characters");
  EXPECT_EQ(run(to_text(JsonObject{{"operation", "create"},
                                   {"type", "persona"},
                                   {"name", "a"},
                                   {"id", std::string(300, 'i')},
                                   {"description", "d"}})),
            "error: nothing was written: id is longer than 200 characters");
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"a","description":"d",
                   "fields":{"id":5}})"),
            "error: \"id\" is a text");
}

TEST_F(ManageErrorsTest, EveryWrongFieldIsNamed) {
  EXPECT_EQ(run(R"({"operation":"create","type":"persona","name":"A","description":"d","fields":{
                   "tags":"go","behavioral_traits":[{"name":"x","intensity":11}],
                   "response_style":{"formality":"stiff"}}})"),
            "error: nothing was written: tags is no list of texts; behavioral_traits[].intensity "
            "is not between 1 and 10; response_style.formality is none of casual neutral formal");
  EXPECT_FALSE(exists("persona/a.md"));
  EXPECT_EQ(run(R"({"operation":"update","type":"persona","id":"reviewer",
                   "fields":{"hot_swappable":"maybe","description":null}})"),
            "error: nothing was written: description is missing; hot_swappable is neither true "
            "nor false");
  EXPECT_EQ(
      run(R"({"operation":"update","type":"persona","id":"reviewer","fields":{"name":null}})"),
      "error: nothing was written: line 1: an element needs a name");
  EXPECT_EQ(run(R"({"operation":"update","type":"persona","id":"reviewer","fields":{"id":"x"}})"),
            "error: nothing was written: an id does not change; create another element instead");
  EXPECT_EQ(read("persona/reviewer.md"), kText);
}

TEST_F(ManageErrorsTest, WhatWasWrongBeforeHindersNobody) {
  write("persona/odd.md", "---\nname: Odd\ndescription: d\ntags: go\n---\n");
  EXPECT_TRUE(run(R"({"operation":"update","type":"persona","id":"odd","description":"e"})")
                  .starts_with("updated"));
  EXPECT_NE(read("persona/odd.md").find("\ntags: go\n"), std::string::npos);
}

TEST_F(ManageErrorsTest, AMalformedFileIsLeftAsItIs) {
  const char* broken = "---\nname: B\nlist: [1,\n---\nBody\n";
  write("persona/broken.md", broken);
  for (const char* operation : {"update", "delete", "activate"}) {
    const auto answer =
        run(to_text(JsonObject{{"operation", operation}, {"type", "persona"}, {"id", "broken"}}));
    EXPECT_TRUE(answer.starts_with("error: persona/broken.md:")) << answer;
    EXPECT_TRUE(answer.ends_with("It is left as it is until you mend it by hand")) << answer;
  }
  // It broke since it was read.
  run(R"({"operation":"activate","type":"persona","id":"reviewer"})");
  collection().start();
  collection().wait_loaded();
  write("persona/reviewer.md", broken);
  const auto answer =
      run(R"({"operation":"update","type":"persona","id":"reviewer","description":"x"})");
  EXPECT_TRUE(answer.starts_with("error: persona/reviewer.md:")) << answer;
  EXPECT_EQ(read("persona/broken.md"), broken);
  EXPECT_EQ(read("persona/reviewer.md"), broken);
}

TEST_F(ManageErrorsTest, AFileOfFiftyMegabytesIsRefused) {
  const auto big = tree / path("persona/big.md");
  write("persona/big.md", kText);
  ASSERT_EQ(::truncate(big.c_str(), 50'000'000), 0);
  EXPECT_EQ(run(R"({"operation":"update","type":"persona","id":"big","description":"x"})"),
            "error: persona/big.md:1: an element's file is at most 2097152 bytes (the file is "
            "skipped). It is left as it is until you mend it by hand");
  EXPECT_EQ(std::filesystem::file_size(big), 50'000'000U);
  const auto answer = run(to_text(JsonObject{{"operation", "update"},
                                             {"type", "persona"},
                                             {"id", "reviewer"},
                                             {"body", std::string(3'000'000, 'x')}}));
  EXPECT_EQ(answer, "error: persona/reviewer.md: the body: over 2097152 bytes");
  EXPECT_EQ(read("persona/reviewer.md"), kText);
  EXPECT_EQ(run(to_text(JsonObject{{"operation", "create"},
                                   {"type", "persona"},
                                   {"name", "a"},
                                   {"description", "d"},
                                   {"body", std::string(3'000'000, 'x')}})),
            "error: nothing was written: over 2097152 bytes");
}

TEST_F(ManageErrorsTest, ABodyDoesNotReplaceSeveralEntries) {
  write("memory/m.yaml", "name: M\ndescription: d\nentries: [a, b]\n");
  EXPECT_EQ(run(R"({"operation":"update","type":"memory","id":"m","body":"x"})"),
            "error: memory/m.yaml: the body: the memory has 2 entries: append adds one, and "
            "\"fields\":{\"entries\":[…]} replaces them");
}

TEST_F(ManageErrorsTest, NothingIsWrittenThroughLinks) {
  tree.write("elsewhere/x.md", kText);
  std::filesystem::create_symlink(tree / "elsewhere", tree / path("agent"));
  EXPECT_EQ(run(R"({"operation":"create","type":"agent","name":"A","description":"d"})"),
            "error: .lode/elements/agent is a link, and nothing is written through links");
  EXPECT_FALSE(std::filesystem::exists(tree / "elsewhere/a.md"));

  std::filesystem::create_symlink("reviewer.md", tree / path("persona/link.md"));
  const auto linked =
      run(R"({"operation":"update","type":"persona","id":"link","description":"x"})");
  EXPECT_TRUE(linked.starts_with("error: ")) << linked;
  EXPECT_EQ(read("persona/reviewer.md"), kText);
}

TEST_F(ManageErrorsTest, AFolderOfTheWorkspaceThatIsALinkIsNotWritten) {
  tree.remove("w/.lode");
  tree.make_directory("elsewhere/elements");
  std::filesystem::create_symlink(tree / "elsewhere", tree / "w/.lode");
  EXPECT_EQ(run(R"({"operation":"create","type":"agent","name":"A","description":"d"})"),
            "error: .lode is a link, and nothing is written through links");
  EXPECT_TRUE(std::filesystem::is_empty(tree / "elsewhere/elements"));
}

TEST_F(ManageErrorsTest, WithoutRecordsNothingIsActive) {
  const Process other(*this);
  for (const char* operation : {"activate", "deactivate"}) {
    EXPECT_EQ(
        run(other.manager,
            to_text(JsonObject{{"operation", operation}, {"type", "persona"}, {"id", "reviewer"}})),
        "error: which elements are active is kept in the records of a workspace, and there "
        "are none here: start lode with a workspace");
  }
}

TEST_F(ManageErrorsTest, ATemplateBombIsRefused) {
  std::string text = "---\nname: Bomb\ndescription: d\n---\n";
  for (int i = 0; i < 16; ++i) text += "{{#each a}}";
  text += "boom";
  for (int i = 0; i < 16; ++i) text += "{{/each}}";
  write("template/bomb.md", text);
  EXPECT_EQ(run(R"({"operation":"render","id":"bomb","values":{"a":[1,2,3,4,5,6,7,8,9,0]}})"),
            "error: line 1: the result would be longer than 1048576 bytes");
}

}  // namespace
}  // namespace lode
