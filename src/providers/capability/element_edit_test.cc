#include "providers/capability/element_edit.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::system_clock::time_point kNow{1'768'482'301s};

JsonObject fields(const char* json) { return parse_json(json).value().as_object(); }

// The document after a merge, or the error.
std::string merged(const char* text, const char* json, DocumentForm form = DocumentForm::markdown) {
  auto document = Document::parse(text, form).value();
  auto done = merge_fields(document, fields(json));
  return done ? document.text() : "error: " + done.error().message;
}

TEST(ElementEdit, VersionsMoveOnByTheirLastNumber) {
  EXPECT_EQ(next_version("1.0.0"), "1.0.1");
  EXPECT_EQ(next_version("0.0.9"), "0.0.10");
  EXPECT_EQ(next_version("1.2.3-beta.1"), "1.2.3-beta.2");
  EXPECT_EQ(next_version("1.2.3-beta"), "1.2.3-beta.1");
  EXPECT_EQ(next_version("1.2.3-7"), "1.2.3-8");
  EXPECT_EQ(next_version("1.2.3+build.5"), "1.2.4");
  EXPECT_EQ(next_version("1.2.3-rc.1+sha"), "1.2.3-rc.2");
  EXPECT_EQ(next_version("1.2"), "1.3");
  EXPECT_EQ(next_version("1.9"), "1.10");
  EXPECT_EQ(next_version("7"), "8");
  EXPECT_EQ(next_version("1.2.3.4"), "1.2.3.5");
  EXPECT_EQ(next_version("1.2-beta"), "1.2-beta.1");
  for (const char* other : {"", "v1.0.0", "1.0.0.0.0", "01.0.0", "1.", "1.0.x", "draft", "1.0.0-",
                            "1.0.0-a..b", "1.0.0+", "1.0.99999999999999999999"}) {
    EXPECT_EQ(next_version(other), other);
  }
}

TEST(ElementEdit, OnlyTheGivenKeysChange) {
  EXPECT_EQ(merged("---\n# who\nname: 'A'   # quoted\nstyle:\n    tone: dry\n    other: 1\n"
                   "unknown: {x: 1}\nold: 1\n---\nBody\n",
                   R"({"style":{"tone":"warm"},"old":null,"never":null,"new":[1]})"),
            "---\n# who\nname: 'A'   # quoted\nstyle:\n    tone: warm\n    other: 1\n"
            "unknown: {x: 1}\nnew:\n    - 1\n---\nBody\n");
  EXPECT_EQ(merged("---\nname: A\n---\n", R"({"map":{"a":null,"b":{"c":null,"d":1}}})"),
            "---\nname: A\nmap:\n  b:\n    d: 1\n---\n");
  EXPECT_EQ(merged("---\nname: A\n---\n", R"({"name":"A"})"), "---\nname: A\n---\n");
}

TEST(ElementEdit, FieldsGoWhereTheFileKeepsThem) {
  const char* nexs = "metadata:\n  id: a\n  name: A\ndata:\n  tone: dry\n";
  EXPECT_EQ(
      merged(nexs, R"({"name":"B","tone":"warm","tags":["x"],"level":2})", DocumentForm::yaml),
      "metadata:\n  id: a\n  name: B\n  tags:\n    - x\ndata:\n  tone: warm\n  level: 2\n");
  const char* memory = "metadata:\n  name: A\nentries: []\n";
  EXPECT_EQ(merged(memory, R"({"description":"d","entries":["x"],"extra":1})", DocumentForm::yaml),
            "metadata:\n  name: A\n  description: d\nentries: [x]\nextra: 1\n");
}

TEST(ElementEdit, NotTooManyAtOnce) {
  JsonObject many;
  for (std::size_t i = 0; i <= kMostFieldChanges; ++i) many["k" + std::to_string(i)] = 1;
  auto document = Document::parse("---\nname: A\n---\n", DocumentForm::markdown).value();
  const auto done = merge_fields(document, many);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "an update changes at most 100 fields");
}

TEST(ElementEdit, BodiesKeepTheirDistanceAndLineEnds) {
  const auto with_body = [](const char* text, const char* body) {
    auto document = Document::parse(text, DocumentForm::markdown).value();
    const auto done = merge_body(document, body);
    return done ? document.text() : "error: " + done.error().message;
  };
  EXPECT_EQ(with_body("---\nname: A\n---\n\nold\n", "new"), "---\nname: A\n---\n\nnew\n");
  EXPECT_EQ(with_body("---\nname: A\n---\nold\n", "new\n"), "---\nname: A\n---\nnew\n");
  EXPECT_EQ(with_body("---\nname: A\n---\n", "new"), "---\nname: A\n---\n\nnew\n");
  EXPECT_EQ(with_body("---\r\nname: A\r\n---\r\n\r\nold\r\n", "a\nb"),
            "---\r\nname: A\r\n---\r\n\r\na\r\nb\r\n");
}

TEST(ElementEdit, ChangesAreMarked) {
  const auto marked = [](const char* text, const char* json, bool add = true,
                         DocumentForm form = DocumentForm::markdown) {
    auto document = Document::parse(text, form).value();
    const auto done = mark_changed(document, fields(json), kNow, add);
    return done ? document.text() : "error: " + done.error().message;
  };
  EXPECT_EQ(iso_time(kNow), "2026-01-15T13:05:01Z");
  EXPECT_EQ(marked("---\nversion: \"1.0.0\" # v\nmodified: x\n---\n", "{}"),
            "---\nversion: \"1.0.1\" # v\nmodified: \"2026-01-15T13:05:01Z\"\n---\n");
  EXPECT_EQ(
      marked("---\nversion: 2.0.0\nupdated: x\n---\n", R"({"version":"2.0.0","updated":"x"})"),
      "---\nversion: 2.0.0\nupdated: x\n---\n");
  EXPECT_EQ(marked("---\nversion: draft\nupdated: 'x'\n---\n", "{}"),
            "---\nversion: draft\nupdated: '2026-01-15T13:05:01Z'\n---\n");
  EXPECT_EQ(marked("---\nname: pdf\n---\n", "{}", false), "---\nname: pdf\n---\n");
  EXPECT_EQ(marked("metadata:\n  name: A\n  version: 1.0.0\n  updatedat: 'x'\n", "{}", true,
                   DocumentForm::yaml),
            "metadata:\n  name: A\n  version: 1.0.1\n  updatedat: '2026-01-15T13:05:01Z'\n");
}

TEST(ElementEdit, AnEntryGoesWhereTheMemoryKeepsThem) {
  const auto appended = [](const char* text, DocumentForm form) {
    auto document = Document::parse(text, form).value();
    const auto done = append_entry(document, form, "more", kNow);
    return done ? document.text() : "error: " + done.error().message;
  };
  const std::string id = "mem_1768482301000_" + content_hash("more").substr(0, 8);
  const std::string entry =
      "id: " + id + "\n    timestamp: \"2026-01-15T13:05:01Z\"\n    content: more\n";
  const auto yaml = DocumentForm::yaml;
  EXPECT_EQ(appended("name: A\nentries:\n  - id: a\n    content: b # c\n", yaml),
            "name: A\nentries:\n  - id: a\n    content: b # c\n  - " + entry);
  EXPECT_EQ(appended("name: A\ncontent: b\n", yaml), "name: A\ncontent: |-\n  b\n\n  more\n");
  EXPECT_NE(appended("name: A\n", yaml).find("entries:\n"), std::string::npos);
  EXPECT_EQ(appended("---\nname: A\n---\nb", DocumentForm::markdown),
            "---\nname: A\n---\nb\n\n[2026-01-15T13:05:01Z] more\n");
  EXPECT_EQ(appended("---\nname: A\n---\n", DocumentForm::markdown),
            "---\nname: A\n---\n\n[2026-01-15T13:05:01Z] more\n");
}

TEST(ElementEdit, TheTextOfYamlIsTheFieldThatHoldsIt) {
  const auto merged_text = [](ElementType type, const char* text) {
    auto document = Document::parse(text, DocumentForm::yaml).value();
    const auto done = merge_text(document, type, "new");
    return done ? document.text() : "error: " + done.error().message;
  };
  EXPECT_EQ(merged_text(ElementType::persona, "name: A\nsystem_prompt: old\n"),
            "name: A\nsystem_prompt: new\n");
  EXPECT_EQ(merged_text(ElementType::persona, "name: A\n"), "name: A\ninstructions: new\n");
  EXPECT_EQ(merged_text(ElementType::template_, "metadata:\n  name: A\ndata:\n  content: old\n"),
            "metadata:\n  name: A\ndata:\n  content: new\n");
  EXPECT_EQ(merged_text(ElementType::memory, "name: A\nentries:\n  - content: old # c\n"),
            "name: A\nentries:\n  - content: new # c\n");
  EXPECT_TRUE(merged_text(ElementType::memory, "name: A\nentries: [a, b]\n")
                  .starts_with("error: the memory has 2 entries"));
}

}  // namespace
}  // namespace lode
