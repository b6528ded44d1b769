#include <gtest/gtest.h>

#include <array>

#include "store/document.h"

namespace lode {
namespace {

Document parsed(const std::string& text, DocumentForm form = DocumentForm::yaml) {
  auto document = Document::parse(text, form);
  EXPECT_TRUE(document) << document.error().message << "\n" << text;
  return *std::move(document);
}

// "a.b.0"
YamlPath path_of(std::string_view dotted) {
  YamlPath path;
  for (;; dotted.remove_prefix(dotted.find('.') + 1)) {
    path.emplace_back(dotted.substr(0, dotted.find('.')));
    if (dotted.find('.') == dotted.npos) return path;
  }
}

// The text after an edit, which checks itself; "! …" if it is refused, and then
// nothing changed.
std::string edited(Document document, std::string_view path, const Json* value) {
  const auto before = document.text();
  const auto status =
      value != nullptr ? document.set(path_of(path), *value) : document.remove(path_of(path));
  if (status) return document.text();
  EXPECT_EQ(document.text(), before);
  return "! " + status.error().message;
}
std::string set(const std::string& text, std::string_view path, std::string_view json) {
  const auto value = parse_json(json);
  EXPECT_TRUE(value) << json;
  return edited(parsed(text), path, &*value);
}
std::string removed(const std::string& text, std::string_view path) {
  return edited(parsed(text), path, nullptr);
}

TEST(DocumentEdit, ScalarsKeepTheirStyleAndComment) {
  EXPECT_EQ(set("a: one # c\nb: 2\n", "a", R"("two")"), "a: two # c\nb: 2\n");
  EXPECT_EQ(set("a: 'one'   # c\n", "a", R"("it's")"), "a: 'it''s'   # c\n");
  EXPECT_EQ(set("a:   \"one\"\n", "a", R"("two")"), "a:   \"two\"\n");
  EXPECT_EQ(set("a: |\n    x\n    y\nb: 1\n", "a", R"("z\n")"), "a: |\n    z\nb: 1\n");
  EXPECT_EQ(set("a: | # c\n  x\n\nb: 1\n", "a", R"("y\nz")"), "a: |- # c\n  y\n  z\n\nb: 1\n");
  EXPECT_EQ(set("a: >\n  x y\n  z\nb: 1\n", "a", R"("p q\n")"), "a: >\n  p q\nb: 1\n");
  EXPECT_EQ(set("a: >\n  x\n", "a", R"(" p\n")"), "a: |2\n   p\n");
  EXPECT_EQ(set("a: 1 # c\n", "a", "2"), "a: 2 # c\n");
  EXPECT_EQ(set("a: 1.0\n", "a", "2.5"), "a: 2.5\n");
  EXPECT_EQ(set("a: true\n", "a", "false"), "a: false\n");
  EXPECT_EQ(set("made: 2024-01-01\n", "made", R"("2025-02-03")"), "made: 2025-02-03\n");
  EXPECT_EQ(set("made: '2024-01-01'\n", "made", R"("2025-02-03")"), "made: '2025-02-03'\n");
}

TEST(DocumentEdit, ScalarsChangeStyleWhereTheyMust) {
  EXPECT_EQ(set("a: one # c\n", "a", R"("true")"), "a: \"true\" # c\n");
  EXPECT_EQ(set("a: one\n", "a", R"("2024-01-01")"), "a: \"2024-01-01\"\n");
  EXPECT_EQ(set("a: one # c\n", "a", R"("x\ny\n")"), "a: | # c\n  x\n  y\n");
  EXPECT_EQ(set("a: 'one' # c\n", "a", "null"), "a: null # c\n");
  EXPECT_EQ(set("a: 'x'\n", "a", R"("\u0001")"), "a: \"\\x01\"\n");
  EXPECT_EQ(set("a: \"x\"\n", "a", R"("x\ny\n")"), "a: |\n  x\n  y\n");
  EXPECT_EQ(set("a: \"x\\ny\"\n", "a", R"("x\nz")"), "a: \"x\\nz\"\n");
  EXPECT_EQ(set("a: | # c\n  x\n  y\nb: 1\n", "a", "5"), "a: 5 # c\nb: 1\n");
  EXPECT_EQ(set("a: |\n  x\n", "a", R"("")"), "a: \"\"\n");
  EXPECT_EQ(set("a: plain\n  on two lines # c\nb: 1\n", "a", R"("one")"), "a: one # c\nb: 1\n");
  EXPECT_EQ(set("a:\n  below # c\n", "a", "1"), "a:\n  1 # c\n");
  EXPECT_EQ(set("a: # c\nb: 1\n", "a", R"("x")"), "a: x # c\nb: 1\n");
  EXPECT_EQ(set("a:\n", "a", "[]"), "a: []\n");
}

TEST(DocumentEdit, EqualValuesChangeNothing) {
  const std::string text = "a:  1.0 # c\nb: 'x'\nc: {d: [1,2],  e: ~}\nf: >\n  p\n  q\n";
  EXPECT_EQ(set(text, "a", "1"), text);
  EXPECT_EQ(set(text, "b", R"("x")"), text);
  EXPECT_EQ(set(text, "c", R"({"e":null,"d":[1,2]})"), text);
  EXPECT_EQ(set(text, "f", R"("p q\n")"), text);
}

TEST(DocumentEdit, NewKeysComeLast) {
  EXPECT_EQ(set("a: 1\n# end\n", "b", "2"), "a: 1\nb: 2\n# end\n");
  EXPECT_EQ(set("a: 1", "b", "2"), "a: 1\nb: 2");
  EXPECT_EQ(set("a: 1\r\n", "b", R"("x\ny")"), "a: 1\r\nb: |-\r\n  x\r\n  y\r\n");
  EXPECT_EQ(set("m:\n    x: 1 # c\n\nn: 1\n", "m.w", R"({"z":[1]})"),
            "m:\n    x: 1 # c\n    w:\n        z:\n            - 1\n\nn: 1\n");
  EXPECT_EQ(set("l:\n- a\n", "m", "[1]"), "l:\n- a\nm:\n- 1\n");
  EXPECT_EQ(set("m:\nn: 1\n", "m.x.w", "1"), "m:\n  x:\n    w: 1\nn: 1\n");
  EXPECT_EQ(set("a: 1\n", "m.x.w", "1"), "a: 1\nm:\n  x:\n    w: 1\n");
  EXPECT_EQ(set("a: |+\n  x\n\nb: |\n  y\n\n", "c", "1"), "a: |+\n  x\n\nb: |\n  y\nc: 1\n\n");
  EXPECT_EQ(set("", "a", "1"), "a: 1\n");
  EXPECT_EQ(set("# c\n", "a", "1"), "# c\na: 1\n");
  EXPECT_EQ(set("a: 1\n", "b: c", R"("- x")"), "a: 1\n\"b: c\": \"- x\"\n");
  EXPECT_EQ(set("a:\n", "b", "1"), "a:\nb: 1\n");
}

TEST(DocumentEdit, FlowStaysFlow) {
  EXPECT_EQ(set("a: {b: 1, c: 'x'} # c\n", "a.c", R"("y")"), "a: {b: 1, c: 'y'} # c\n");
  EXPECT_EQ(set("a: {b: 1}\n", "a.c", R"([1,"x, y"])"), "a: {b: 1, c: [1, \"x, y\"]}\n");
  EXPECT_EQ(set("a: {}\n", "a.c", "1"), "a: {c: 1}\n");
  EXPECT_EQ(set("a: [x, y] # c\n", "a", R"(["x","y","z"])"), "a: [x, y, z] # c\n");
  EXPECT_EQ(set("a: [x, y]\n", "a", R"(["p","q"])"), "a: [p, q]\n");
  EXPECT_EQ(set("a: [\n  x, # c\n  y\n]\n", "a.1", R"("z")"), "a: [\n  x, # c\n  z\n]\n");
  EXPECT_EQ(set("a: {b, c: }\n", "a.b", "1"), "a: {b: 1, c: }\n");
  EXPECT_EQ(set("a: {b, c: }\n", "a.c", "1"), "a: {b, c: 1 }\n");
  EXPECT_EQ(set("{a: 1}\n", "b", "2"), "{a: 1, b: 2}\n");
  EXPECT_EQ(set("{\"a\":1}\n", "a", R"("x\ny")"), "{\"a\":\"x\\ny\"}\n");
  EXPECT_EQ(removed("a: {b: 1, c: 2, d: 3}\n", "a.b"), "a: {c: 2, d: 3}\n");
  EXPECT_EQ(removed("a: {b: 1, c: 2, d: 3}\n", "a.c"), "a: {b: 1, d: 3}\n");
  EXPECT_EQ(removed("a: {b: 1, c: 2, d: 3}\n", "a.d"), "a: {b: 1, c: 2}\n");
  EXPECT_EQ(removed("a: {b: 1}\n", "a.b"), "a: {}\n");
  EXPECT_EQ(removed("a: [x, y]\n", "a.0"), "a: [y]\n");
  EXPECT_EQ(removed("a: [x]\n", "a.0"), "a: []\n");
}

TEST(DocumentEdit, Lists) {
  const std::string text = "a: # l\n  - x # 1\n  - 'y' # 2\n  # end\nb: 1\n";
  EXPECT_EQ(set(text, "a.1", R"("z")"), "a: # l\n  - x # 1\n  - 'z' # 2\n  # end\nb: 1\n");
  EXPECT_EQ(set(text, "a.2", R"("z")"), "a: # l\n  - x # 1\n  - 'y' # 2\n  - z\n  # end\nb: 1\n");
  EXPECT_EQ(set(text, "a", R"(["x","y","z"])"),
            "a: # l\n  - x # 1\n  - 'y' # 2\n  - z\n  # end\nb: 1\n");
  EXPECT_EQ(set(text, "a", R"(["y"])"), "a: # l\n  - 'y' # 2\n  # end\nb: 1\n");
  EXPECT_EQ(set(text, "a", R"(["p"])"), "a: # l\n  - p\n  # end\nb: 1\n");
  EXPECT_EQ(set(text, "a", "7"), "a: 7 # l\n  # end\nb: 1\n");
  EXPECT_EQ(set("a: 7 # c\nb: 1\n", "a", "[1,2]"), "a: # c\n  - 1\n  - 2\nb: 1\n");
  EXPECT_EQ(removed(text, "a.0"), "a: # l\n  - 'y' # 2\n  # end\nb: 1\n");
  EXPECT_EQ(removed("a:\n  - x\nb: 1\n", "a.0"), "a: []\nb: 1\n");
  EXPECT_EQ(set("a:\n  - k: 1\n    l: 2 # c\n  - 5\n", "a.0.m", "3"),
            "a:\n  - k: 1\n    l: 2 # c\n    m: 3\n  - 5\n");
  EXPECT_EQ(removed("a:\n  - k: 1\n    l: 2\n", "a.0.k"), "a:\n  - l: 2\n");
  EXPECT_EQ(removed("a:\n  - k: 1\n    # about l\n    l: 2\n", "a.0.k"),
            "a:\n  -\n    # about l\n    l: 2\n");
  EXPECT_EQ(set("a:\n  - k: 1\n", "a.0", R"({"x":1,"z":2})"), "a:\n  - x: 1\n    z: 2\n");
  EXPECT_EQ(set("a:\n  -   k: 1\n", "a.0", R"({"x":1,"z":2})"), "a:\n  -   x: 1\n      z: 2\n");
  EXPECT_EQ(set("a:\n  - x # c\n", "a.0", R"({"k":1,"l":[]})"), "a:\n  - k: 1 # c\n    l: []\n");
  EXPECT_EQ(set("a:\n  -\n  - y\n", "a.0", R"("x")"), "a:\n  - x\n  - y\n");
  EXPECT_EQ(set("a:\n- x\n- y\n", "a", "[1]"), "a:\n- 1\n");
}

TEST(DocumentEdit, MapsChangeOnlyWhereTheyDiffer) {
  const std::string text = "m:\n  # about x\n  x: 'a' # 1\n  y: b\n  # about z\n  z: [1,  2]\n";
  EXPECT_EQ(set(text, "m", R"({"x":"a","z":[1,2],"w":true})"),
            "m:\n  # about x\n  x: 'a' # 1\n  # about z\n  z: [1,  2]\n  w: true\n");
  EXPECT_EQ(set(text, "m", R"({"q":1})"), "m:\n  # about x\n  q: 1\n");
  EXPECT_EQ(set(text, "m", "{}"), "m: {}\n  # about x\n");
}

TEST(DocumentEdit, Removes) {
  EXPECT_EQ(removed("a: 1\nb: 2 # c\nc: 3\n", "b"), "a: 1\nc: 3\n");
  EXPECT_EQ(removed("a: 1\n\n# about b\nb: |\n  x\n\n  y\n\nc: 3\n", "b"),
            "a: 1\n\n# about b\n\nc: 3\n");
  EXPECT_EQ(removed("m:\n  x: 1\nb: 2\n", "m.x"), "m: {}\nb: 2\n");
  EXPECT_EQ(removed("a: 1\nb: 2", "b"), "a: 1");
  EXPECT_EQ(removed("a: 1", "a"), "");
  EXPECT_EQ(removed("m:\n  x:\n    - 1\n    - 2\n  y: 1\n", "m.x"), "m:\n  y: 1\n");
  EXPECT_EQ(removed("a: 1\n", "b"), "! there is no b");
  EXPECT_EQ(removed("a: [1]\n", "a.1"), "! there is no a.1");
}

TEST(DocumentEdit, AnchorsAndTags) {
  EXPECT_EQ(set("a: &x 1\nb: 2\n", "a", "3"), "a: &x 3\nb: 2\n");
  EXPECT_EQ(set("a: &x 1\nb: *x\n", "b", "3"), "a: &x 1\nb: 3\n");
  EXPECT_EQ(set("a: &x 1\nb: *x\n", "c", "3"), "a: &x 1\nb: *x\nc: 3\n");
  EXPECT_EQ(set("a: &x 1\nb: *x\n", "a", "3"),
            "! cannot change a without rewriting more of the file: other values would change");
  EXPECT_EQ(removed("a: &x 1\nb: *x\n", "a"),
            "! cannot change a without rewriting more of the file: line 1: *x names nothing that "
            "stands before it");
  EXPECT_EQ(removed("a: &x 1\nb: *x\n", "b"), "a: &x 1\n");
  EXPECT_EQ(set("a: &x {k: 1}\nb: *x\n", "b.k", "3"), "! cannot change b.k: b is an alias");
  EXPECT_EQ(set("a: &x\n  k: 1\n", "a", "[1]"), "a: &x\n  - 1\n");
  EXPECT_EQ(set("a: !!str 5\n", "a", R"("6")"), "a: !!str \"6\"\n");
  EXPECT_EQ(set("a: !!str 5\n", "a", "6"), "a: 6\n");
  EXPECT_EQ(set("a: !!map\n  k: 1\n", "a", "7"), "a: 7\n");
}

TEST(DocumentEdit, RefusesAndChangesNothing) {
  EXPECT_EQ(set("a: 1\n", "a.b", "1"), "! a is neither a map nor a list");
  EXPECT_EQ(set("a: [1]\n", "a.5", "1"), "! a has no item 5");
  EXPECT_EQ(set("a: [1]\n", "a.x", "1"), "! a has no item x");
  EXPECT_EQ(set("? a\n: 1\nb: 2\n", "b", "3"), "? a\n: 1\nb: 3\n");
  EXPECT_EQ(removed("? a\n: 1\nb: 2\n", "a").substr(0, 15), "! cannot change");
  auto document = parsed("a: 1\n");
  EXPECT_EQ(document.set({}, 1).error().code, Code::invalid);
  EXPECT_EQ(document.set({"a"}, "\xFF").error().code, Code::invalid);
  EXPECT_EQ(document.set({"\xFF"}, 1).error().code, Code::invalid);
  EXPECT_EQ(document.set({std::string(3'000, 'k')}, 1).error().code, Code::unsupported);
  Json deep = 1;
  for (int i = 0; i < 70; ++i) deep = JsonArray{deep};
  EXPECT_EQ(document.set({"a"}, deep).error().code, Code::invalid);
  EXPECT_EQ(document.text(), "a: 1\n");
}

TEST(DocumentEdit, FrontmatterOfMarkdown) {
  const auto markdown = [](const std::string& text, std::string_view path, const Json& value) {
    return edited(parsed(text, DocumentForm::markdown), path, &value);
  };
  EXPECT_EQ(markdown("---\na: 1\n---\nb: 2\n---\n", "a", 3), "---\na: 3\n---\nb: 2\n---\n");
  EXPECT_EQ(markdown("---\r\na: 1\r\n---\r\nx\ny", "b", 3), "---\r\na: 1\r\nb: 3\r\n---\r\nx\ny");
  EXPECT_EQ(markdown("---\n---", "b", 3), "---\nb: 3\n---");
  EXPECT_EQ(markdown("text\n", "b", 3), "---\nb: 3\n---\ntext\n");
  EXPECT_EQ(markdown("\xEF\xBB\xBFtext\r\n", "b", 3), "\xEF\xBB\xBF---\r\nb: 3\r\n---\r\ntext\r\n");
  EXPECT_EQ(markdown("---\na: 1\n...\nx", "a", "p\n---\nq"), "---\na: |-\n  p\n  ---\n  q\n...\nx");
  const std::string large(66'000, 'x');
  EXPECT_EQ(markdown("---\na: 1\n---\n", "a", Json(large)),
            "! a: the frontmatter would be over 65536 bytes");
}

TEST(DocumentEdit, Body) {
  const auto with_body = [](const std::string& text, std::string_view body) {
    auto document = parsed(text, DocumentForm::markdown);
    const auto status = document.set_body(body);
    return status ? document.text() : "! " + status.error().message;
  };
  EXPECT_EQ(with_body("---\na: 1 # c\n---\nold\n", "new\n---\n"), "---\na: 1 # c\n---\nnew\n---\n");
  EXPECT_EQ(with_body("---\na: 1\n---", "new"), "---\na: 1\n---\nnew");
  EXPECT_EQ(with_body("---\r\na: 1\r\n---\r\nold\r\n", "p\nq\n"),
            "---\r\na: 1\r\n---\r\np\r\nq\r\n");
  EXPECT_EQ(with_body("---\na: 1\n---\nold\r\n", "p\r\nq\n"), "---\na: 1\n---\np\r\nq\n");
  EXPECT_EQ(with_body("old", "new"), "new");
  EXPECT_EQ(with_body("old", "---\na: 1\n---\n"), "! the body would be taken for frontmatter");
  auto pure = parsed("a: 1\n");
  EXPECT_EQ(pure.set_body("x").error().code, Code::unsupported);
  EXPECT_TRUE(pure.set_body(""));
  auto memory = parsed("---\na: 1\n---\nold\n");
  EXPECT_TRUE(memory.set_body("new\n"));
  EXPECT_EQ(memory.text(), "---\na: 1\n---\nnew\n");
}

}  // namespace
}  // namespace lode
