#include "store/document.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

struct Read {
  std::string json, frontmatter, body;
  friend bool operator==(const Read&, const Read&) = default;
  friend void PrintTo(const Read& read, std::ostream* out) {
    *out << read.json << " | " << read.frontmatter << " | " << read.body;
  }
};

Read read(std::string text, DocumentForm form) {
  const auto document = Document::parse(text, form);
  if (!document) return {"! " + document.error().message, "", ""};
  EXPECT_EQ(document->text(), text);
  return {to_text(to_json(document->frontmatter())), std::string(document->frontmatter_text()),
          std::string(document->body())};
}
Read markdown(std::string text) { return read(std::move(text), DocumentForm::markdown); }
Read yaml(std::string text) { return read(std::move(text), DocumentForm::yaml); }

TEST(Document, MarkdownWithFrontmatter) {
  EXPECT_EQ(markdown("---\na: 1\n---\n# Title\n\ntext"),
            (Read{R"({"a":1})", "a: 1\n", "# Title\n\ntext"}));
  EXPECT_EQ(markdown("\xEF\xBB\xBF---\r\na: 1\r\n---\r\nbody\r\n"),
            (Read{R"({"a":1})", "a: 1\r\n", "body\r\n"}));
  EXPECT_EQ(markdown("---\na: 1\n...\nbody"), (Read{R"({"a":1})", "a: 1\n", "body"}));
  EXPECT_EQ(markdown("--- \na: 1\n---\t\nbody"), (Read{R"({"a":1})", "a: 1\n", "body"}));
  EXPECT_EQ(markdown("---\na: 1\n---\none\n---\ntwo\n---\n"),
            (Read{R"({"a":1})", "a: 1\n", "one\n---\ntwo\n---\n"}));
  EXPECT_EQ(markdown("---\na: |\n  x\n  ---\n  y\n---\nbody"),
            (Read{R"({"a":"x\n---\ny\n"})", "a: |\n  x\n  ---\n  y\n", "body"}));
}

TEST(Document, EmptyFrontmatter) {
  EXPECT_EQ(markdown("---\n---\nbody"), (Read{"{}", "", "body"}));
  EXPECT_EQ(markdown("---\n---"), (Read{"{}", "", ""}));
  EXPECT_EQ(markdown("---\n\n# nothing\n---\n"), (Read{"{}", "\n# nothing\n", ""}));
}

TEST(Document, BodyAlone) {
  EXPECT_EQ(markdown(""), (Read{"{}", "", ""}));
  EXPECT_EQ(markdown("# Title\n---\na: 1\n---\n"), (Read{"{}", "", "# Title\n---\na: 1\n---\n"}));
  EXPECT_EQ(markdown("\xEF\xBB\xBFtext"), (Read{"{}", "", "text"}));
  EXPECT_EQ(markdown("\n---\na: 1\n---\n"), (Read{"{}", "", "\n---\na: 1\n---\n"}));
  EXPECT_EQ(markdown("----\nx\n"), (Read{"{}", "", "----\nx\n"}));
  EXPECT_EQ(markdown("any \xFF bytes"), (Read{"{}", "", "any \xFF bytes"}));
}

TEST(Document, PureYaml) {
  EXPECT_EQ(yaml("a: 1\nb: 2"), (Read{R"({"a":1,"b":2})", "a: 1\nb: 2", ""}));
  EXPECT_EQ(yaml("---\na: 1\n"), (Read{R"({"a":1})", "---\na: 1\n", ""}));
  EXPECT_EQ(yaml("--- # c\na: 1\n"), (Read{R"({"a":1})", "--- # c\na: 1\n", ""}));
  EXPECT_EQ(yaml(""), (Read{"{}", "", ""}));
  EXPECT_EQ(yaml("\xEF\xBB\xBF# c\n"), (Read{"{}", "# c\n", ""}));
  EXPECT_EQ(yaml("{}"), (Read{"{}", "{}", ""}));
}

TEST(Document, YamlWithABody) {
  EXPECT_EQ(yaml("---\nname: m\n---\n\n# Notes: free text\n"),
            (Read{R"({"name":"m"})", "name: m\n", "\n# Notes: free text\n"}));
}

TEST(Document, ErrorsNameTheLineOfTheFile) {
  EXPECT_EQ(markdown("---\na: 1\na: 2\n---\n").json,
            "! line 3: the key \"a\" stands twice; first on line 2");
  EXPECT_EQ(markdown("---\na: 1\nbody").json,
            "! line 1: the frontmatter that begins here has no end (---)");
  EXPECT_EQ(markdown("---\n\nsome text\n---\n").json,
            "! line 3: keys and values are expected (key: value)");
  EXPECT_EQ(yaml("- a\n- b\n").json, "! line 1: keys and values are expected (key: value)");
  EXPECT_EQ(yaml("a: 1\n---\nb: 2\n").json, "! line 2: a second document begins here");
}

TEST(Document, Limits) {
  const auto error = [](std::string text, DocumentForm form, const DocumentLimits& limits) {
    const auto document = Document::parse(std::move(text), form, limits);
    return document ? "" : document.error().message;
  };
  const std::string value(70'000, 'x');
  EXPECT_EQ(error("---\na: " + value + "\n---\n", DocumentForm::markdown, {}),
            "line 1: the frontmatter is over 65536 bytes");
  EXPECT_EQ(error("a: " + value + "\n", DocumentForm::yaml, {}), "");
  EXPECT_EQ(error("a: 1\n", DocumentForm::yaml, {.bytes = 4}), "over 4 bytes");
  EXPECT_EQ(error("a: [[x]]\n", DocumentForm::yaml, {.depth = 2}),
            "line 1: nested deeper than 2 levels");
  EXPECT_EQ(error("a: [x, y]\n", DocumentForm::yaml, {.nodes = 4}), "line 1: more than 4 values");
}

TEST(Document, FindsByPath) {
  const auto document = Document::parse("a:\n  b: [x, {c: 1}]\n", DocumentForm::yaml);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->find({"a", "b", "1", "c"})->integer, 1);
  EXPECT_EQ(document->find({"a", "b", "2"}), nullptr);
  EXPECT_EQ(document->find({"a", "b", "01"}), nullptr);
  EXPECT_EQ(document->find({"a", "x"}), nullptr);
  EXPECT_EQ(document->find({"a", "b", "0", "x"}), nullptr);
  EXPECT_EQ(document->find({}), &document->frontmatter());
}

TEST(Document, MakesAFileThatPeopleRead) {
  const auto frontmatter = parse_json(
      R"({"name":"Code: reviewer","version":"1.0","tags":["a","b"],"instructions":"Be kind.\nBe brief.\n","goal":{"template":"Review {x}"}})");
  const auto text = make_document(frontmatter->get_object(), "# Title\n\nText");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text,
            "---\nname: \"Code: reviewer\"\nversion: \"1.0\"\ntags:\n  - a\n  - b\n"
            "instructions: |\n  Be kind.\n  Be brief.\ngoal:\n  template: Review {x}\n---\n\n"
            "# Title\n\nText\n");
  EXPECT_EQ(*make_document({}, "Text"), "Text\n");
  EXPECT_EQ(*make_document({}, "---\nText"), "---\n---\n\n---\nText\n");
  EXPECT_EQ(*make_document({{"a", 1}}, ""), "---\na: 1\n---\n");
  EXPECT_EQ(make_document({{"a", std::string(70'000, 'x')}}, "").error().code, Code::invalid);
  EXPECT_EQ(make_document({{"a", "\xFF"}}, "").error().code, Code::invalid);
  EXPECT_EQ(make_document({{std::string(2'000, 'k'), 1}}, "").error().code, Code::invalid);
}

}  // namespace
}  // namespace lode
