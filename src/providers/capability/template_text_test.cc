#include "providers/capability/template_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace lode {
namespace {

using Variables = std::vector<Variable>;

JsonObject values(const char* json) { return parse_json(json).value().as_object(); }

std::string rendered(std::string_view text, const char* json = "{}",
                     const Variables& variables = {}) {
  auto result = render_template(text, variables, values(json));
  return result ? *result : "error: " + result.error().message;
}

TEST(TemplateText, Placeholders) {
  EXPECT_EQ(rendered("Dear {{name}},", R"({"name":"Ada"})"), "Dear Ada,");
  EXPECT_EQ(rendered("{{ name }}{{{name}}}", R"({"name":"Ada"})"), "AdaAda");
  EXPECT_EQ(rendered("{{user.name}} {{user.age.years}}|", R"({"user":{"name":"Ada"}})"), "Ada |");
  EXPECT_EQ(rendered("[{{nothing}}]"), "[]");
  EXPECT_EQ(rendered("{ {x} } }}"), "{ {x} } }}");
  EXPECT_EQ(rendered("{{größe}}", R"({"größe":3})"), "3");
  EXPECT_EQ(rendered("a {{! a remark }}b"), "a b");
}

TEST(TemplateText, ValuesAreTextWhateverTheyLookLike) {
  EXPECT_EQ(rendered("{{a}}", R"({"a":"{{a}} {{#each}}"})"), "{{a}} {{#each}}");
}

TEST(TemplateText, Escapes) {
  EXPECT_EQ(rendered(R"(\{{name}} is {{name}})", R"({"name":"x"})"), "{{name}} is x");
  EXPECT_EQ(rendered(R"(\{{)"), "{{");
}

TEST(TemplateText, Values) {
  const char* all = R"({"a":1,"b":1.5,"c":true,"d":[1,"x"],"e":{"k":null},"f":null})";
  EXPECT_EQ(rendered("{{a}} {{b}} {{c}} {{d}} {{e}} {{f}}|", all),
            R"(1 1.5 true [1,"x"] {"k":null} |)");
}

TEST(TemplateText, Conditions) {
  const std::string_view text = "{{#if a}}yes{{else}}no{{/if}}";
  for (const char* no : {"{}", R"({"a":null})", R"({"a":false})", R"({"a":0})", R"({"a":""})",
                         R"({"a":[]})", R"({"a":{}})"}) {
    EXPECT_EQ(rendered(text, no), "no") << no;
  }
  for (const char* yes : {R"({"a":true})", R"({"a":-1})", R"({"a":"0"})", R"({"a":[0]})"}) {
    EXPECT_EQ(rendered(text, yes), "yes") << yes;
  }
  EXPECT_EQ(rendered("{{#if a}}{{#if b}}both{{/if}}{{/if}}", R"({"a":1,"b":1})"), "both");
}

TEST(TemplateText, Loops) {
  EXPECT_EQ(rendered("{{#each a}}{{@index}}:{{this}} {{/each}}", R"({"a":["x","y"]})"), "0:x 1:y ");
  EXPECT_EQ(rendered("{{#each a}}{{this.n}}={{n}}{{b}} {{/each}}",
                     R"({"a":[{"n":1},{"n":2,"b":"!"}],"b":"?"})"),
            "1=1? 2=2! ");
  EXPECT_EQ(
      rendered("{{#each a}}{{#each this}}{{this}}{{/each}};{{/each}}", R"({"a":[[1,2],[],[3]]})"),
      "12;;3;");
  EXPECT_EQ(rendered("{{#each a}}x{{else}}none{{/each}}", R"({"a":[]})"), "none");
  EXPECT_EQ(rendered("{{#each a}}x{{/each}}", R"({"a":"text"})"),
            "error: line 1: {{#each a}} needs a list or a map");
}

TEST(TemplateText, LoopsOverMaps) {
  EXPECT_EQ(rendered("{{#each a}}{{@key}}={{this}}{{#unless @last}}, {{/unless}}{{/each}}",
                     R"({"a":{"x":1,"y":"two"}})"),
            "x=1, y=two");
  EXPECT_EQ(rendered("{{#each a}}{{#each tags}}{{@key}}:{{this}}/{{../n}}/{{@root.b}} "
                     "{{/each}}{{/each}}",
                     R"({"a":[{"n":1,"tags":{"k":"v"}},{"n":2}],"b":"!"})"),
            "k:v/1/! ");
  EXPECT_EQ(
      rendered("{{#each a}}{{#if @first}}first{{else}}later{{/if}} {{/each}}", R"({"a":[1,2]})"),
      "first later ");
  EXPECT_EQ(rendered("{{#with a}}{{b}} {{this.b}}{{else}}none{{/with}}", R"({"a":{"b":1}})"),
            "1 1");
  EXPECT_EQ(rendered("{{#with a}}{{b}}{{else}}none{{/with}}"), "none");
}

TEST(TemplateText, AnItemMayLackAKey) {
  const Variables declared{{"steps", "", "array", {}, true}};
  EXPECT_EQ(rendered("{{#each steps}}{{id}}{{#if note}} ({{note}}){{/if}};{{/each}}",
                     R"({"steps":[{"id":1},{"id":2,"note":"x"}]})", declared),
            "1;2 (x);");
}

TEST(TemplateText, Helpers) {
  const auto one = [](const char* tag, const char* json) {
    return rendered("{{" + std::string(tag) + "}}", json);
  };
  EXPECT_EQ(one("default a \"kind\"", "{}"), "kind");
  EXPECT_EQ(one("default a 'kind'", R"({"a":"dry"})"), "dry");
  EXPECT_EQ(one("default a 3", R"({"a":0})"), "0");
  EXPECT_EQ(one("upper a", R"({"a":"größe x"})"), "GRÖßE X");
  EXPECT_EQ(one("lower a", R"({"a":"GRÖSSE"})"), "grösse");
  EXPECT_EQ(one("title a", R"({"a":"the élan OF it's"})"), "The Élan Of It's");
  EXPECT_EQ(one("trim a", R"({"a":"  x "})"), "x");
  EXPECT_EQ(one("replace a \"-\" \"+\"", R"({"a":"1-2-3"})"), "1+2+3");
  EXPECT_EQ(one("join a ', '", R"({"a":["x",2]})"), "x, 2");
  EXPECT_EQ(one("join a", "{}"), "");
  EXPECT_EQ(one("length a", R"({"a":[1,2]})"), "2");
  EXPECT_EQ(one("json a", R"({"a":"x"})"), "\"x\"");
  EXPECT_EQ(one("lookup a \"k\"", R"({"a":{"k":5}})"), "5");
  EXPECT_EQ(one("lookup a 1", R"({"a":[4,5]})"), "5");
  EXPECT_EQ(one("upper (default (lookup a \"k\") \"none\")", R"({"a":{}})"), "NONE");
}

TEST(TemplateText, HelpersInConditions) {
  const auto holds = [](const char* subject, const char* json = "{}") {
    return rendered("{{#if " + std::string(subject) + "}}yes{{else}}no{{/if}}", json);
  };
  EXPECT_EQ(holds("(gt a 0)", R"({"a":1})"), "yes");
  EXPECT_EQ(holds("(gt a 0)", R"({"a":"1"})"), "yes");
  EXPECT_EQ(holds("(gt a 0)"), "no");
  EXPECT_EQ(holds("(lte a 2.5)", R"({"a":2})"), "yes");
  EXPECT_EQ(holds("(eq a true)", R"({"a":true})"), "yes");
  EXPECT_EQ(holds("(eq a true)"), "no");
  EXPECT_EQ(holds("(eq a \"on\")", R"({"a":"on"})"), "yes");
  EXPECT_EQ(holds("(ne a 'on')", R"({"a":"off"})"), "yes");
  EXPECT_EQ(holds("(and a (not b))", R"({"a":1})"), "yes");
  EXPECT_EQ(holds("(or a b)"), "no");
  EXPECT_EQ(holds("(gt a 0)", R"({"a":"many"})"),
            "error: line 1: \"gt\" needs numbers, which \"many\" is not");
  EXPECT_EQ(rendered("{{#if a}}1{{else if (eq b 2)}}2{{else}}3{{/if}}", R"({"b":2})"), "2");
  EXPECT_EQ(rendered("{{#if a}}1{{else if b}}2{{else}}3{{/if}}"), "3");
}

TEST(TemplateText, WhatNoHelperCanDoIsTold) {
  EXPECT_EQ(
      rendered("{{uper a}}"),
      "error: line 1: {{uper a}} is not understood: there is no helper \"uper\" (did you mean "
      "\"upper\"?)");
  EXPECT_EQ(rendered("{{#if (gt a)}}{{/if}}"),
            "error: line 1: {{#if (gt a)}} is not understood: \"gt\" takes 2 arguments, and has 1");
  EXPECT_EQ(rendered("{{> other}}"),
            "error: line 1: {{> other}} is not understood: a template cannot bring in another");
  EXPECT_EQ(rendered("{{upper (lower a}}"),
            "error: line 1: {{upper (lower a}} is not understood: ( has no )");
  EXPECT_EQ(rendered("{{upper \"a}}"),
            "error: line 1: {{upper \"a}} is not understood: \" has no second one");
  EXPECT_EQ(rendered("{{join a}}", R"({"a":"x"})"),
            "error: line 1: \"join\" needs a list, which \"x\" is not");
  EXPECT_EQ(rendered("{{../a}}"), "error: line 1: {{../a}} stands in no {{#each}}");
  std::string deep = "{{not ";
  for (int i = 0; i < 100'000; ++i) deep += "(not ";
  EXPECT_TRUE(rendered(deep + "a}}").ends_with("parentheses are deeper than 8"));
}

TEST(TemplateText, HelpersMakeNoBombs) {
  std::string many = "[0";
  for (int i = 0; i < 20'000; ++i) many += ",0";
  const std::string values = R"({"a":)" + many + "]}";
  EXPECT_EQ(rendered("{{#each a}}{{#if (eq @root.a 1)}}{{/if}}{{/each}}", values.c_str()),
            "error: line 1: the template takes more than 1000000 steps");
  const std::string text = R"({"a":")" + std::string(100'000, 'x') + R"("})";
  EXPECT_EQ(rendered("{{length (replace a \"x\" a)}}", text.c_str()),
            "error: line 1: \"replace\" would make more than 1048576 bytes");
}

TEST(TemplateText, NamesOfItemsAreNoVariablesOfTheTemplate) {
  const auto used = names_used("{{a}}{{#each b}}{{c}}{{a}}{{/each}}{{#if (gt d 0)}}{{/if}}");
  ASSERT_EQ(used.size(), 4U);
  EXPECT_TRUE(!used[0].only_inside && !used[0].listed);
  EXPECT_TRUE(!used[1].only_inside && used[1].listed);
  EXPECT_EQ(used[2].name, "c");
  EXPECT_TRUE(used[2].only_inside);
  EXPECT_EQ(used[3].name, "d");
}

TEST(TemplateText, BlocksOnLinesOfTheirOwnLeaveNone) {
  EXPECT_EQ(rendered("Tags:\n{{#each a}}\n- {{this}}\n{{/each}}\nend\n", R"({"a":["x","y"]})"),
            "Tags:\n- x\n- y\nend\n");
  EXPECT_EQ(rendered("  {{#if a}}\r\nyes\r\n  {{else}}\r\nno\r\n{{/if}}", R"({"a":1})"), "yes\r\n");
  EXPECT_EQ(rendered("a {{#if b}}\nc\n{{/if}} d", R"({"b":1})"), "a \nc\n d");
}

TEST(TemplateText, DeclaredVariables) {
  const Variables declared{{"to", "who it is for", "string", {}, true},
                           {"tone", "", "string", "kind", false},
                           {"from", "", "string", {}, true}};
  EXPECT_EQ(rendered("{{to}} {{tone}} {{from}}", R"({"to":"A","from":"B"})", declared), "A kind B");
  EXPECT_EQ(rendered("{{to}} {{tone}}", R"({"to":"A","from":"B","tone":"dry"})", declared),
            "A dry");
  EXPECT_EQ(rendered("{{to}}", "{}", declared),
            "error: no value for \"to\" (who it is for), \"from\"");
  EXPECT_EQ(rendered("{{to}}", R"({"to":null,"frm":"B"})", declared),
            "error: no value for \"to\" (who it is for), \"from\"; \"frm\" is no variable of this "
            "template (did you mean \"from\"?)");
  EXPECT_EQ(rendered("{{to}}", R"({"to":"A","from":"B","colour":1})", declared),
            "error: \"colour\" is no variable of this template; it has to, tone, from");
  EXPECT_EQ(rendered("a\n{{#if tone}}\n{{tome}}{{/if}}", R"({"to":"A","from":"B"})", declared),
            "error: line 3: \"tome\" is none of the template's variables (did you mean \"tone\"?)");
}

TEST(TemplateText, UndeclaredVariablesAreThoseOfTheText) {
  EXPECT_EQ(variables_in("{{a}} {{#if b}}{{c.d}}{{/if}}{{#each e}}{{this}}{{@index}}{{a}}{{/each}}"
                         "\\{{no}} {{nope x}} {{join y}} {{"),
            (std::vector<std::string>{"a", "b", "c", "e", "y"}));
  EXPECT_EQ(rendered("{{name}}", R"({"nam":1})"),
            "error: \"nam\" is no variable of this template (did you mean \"name\"?)");
}

TEST(TemplateText, Types) {
  const auto one = [](const char* type, const char* json) {
    return rendered("{{v}}", json, {{"v", "", type, {}, false}});
  };
  EXPECT_EQ(one("number", R"({"v":3})"), "3");
  EXPECT_EQ(one("number", R"({"v":"3"})"), "3");
  EXPECT_EQ(one("number", R"({"v":"three"})"),
            "error: \"v\" is to be of the type number, which \"three\" is not");
  EXPECT_EQ(one("boolean", R"({"v":"true"})"), "true");
  EXPECT_EQ(one("boolean", R"({"v":1})"),
            "error: \"v\" is to be of the type boolean, which 1 is not");
  EXPECT_EQ(one("array", R"({"v":"a, b"})"), R"(["a","b"])");
  EXPECT_EQ(one("array", R"({"v":"[1]"})"), "[1]");
  EXPECT_EQ(one("array", R"({"v":"[1"})"),
            "error: \"v\" is to be of the type array, which \"[1\" is not");
  EXPECT_EQ(one("object", R"({"v":"{\"a\":1}"})"), R"({"a":1})");
  EXPECT_EQ(one("date", R"({"v":"2026-01-15"})"), "2026-01-15");
}

TEST(TemplateText, WhatIsWrongWithTheTextIsToldWithItsLine) {
  EXPECT_EQ(rendered("a\n{{b"),
            "error: line 2: {{ has no }}; for the characters themselves write \\{{");
  EXPECT_EQ(rendered("{{/if}}"), "error: line 1: {{/if}} ends nothing");
  EXPECT_EQ(rendered("\n{{#if a}}\n{{/each}}"),
            "error: line 3: {{/each}} cannot end the {{#if a}} of line 2");
  EXPECT_EQ(rendered("{{#each a}}"), "error: line 1: {{#each a}} has no end");
  EXPECT_EQ(rendered("{{else}}"), "error: line 1: {{else}} stands in no block");
  EXPECT_EQ(rendered("{{#if a}}{{else}}{{else}}{{/if}}"),
            "error: line 1: a second {{else}} in {{#if a}}");
  EXPECT_EQ(rendered("{{this}}"), "error: line 1: {{this}} stands in no {{#each}}");
  EXPECT_TRUE(
      rendered("{{a=b}}").starts_with("error: line 1: {{a=b}} is not understood; there are "
                                      "{{name}}, {{helper name}}, {{#if name}}"));
  EXPECT_TRUE(rendered("{{}}").starts_with("error: line 1: {{}} is not understood"));
  EXPECT_TRUE(rendered("{{a b" + std::string(54, '.') + "äöü}}")
                  .starts_with("error: line 1: {{a b" + std::string(54, '.') + "… is not"));
}

// Each of ten rounds has ten of its own, and so on.
std::string nested(int levels, std::string_view innermost) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += "{{#each a}}";
  text += innermost;
  for (int i = 0; i < levels; ++i) text += "{{/each}}";
  return text;
}

TEST(TemplateText, BombsAreRefused) {
  const char* ten = R"({"a":[1,2,3,4,5,6,7,8,9,0]})";
  EXPECT_EQ(rendered(nested(16, "boom"), ten),
            "error: line 1: the result would be longer than 1048576 bytes");
  EXPECT_EQ(rendered(nested(16, ""), ten),
            "error: line 1: the template takes more than 1000000 steps");
  EXPECT_EQ(rendered(nested(17, ""), ten), "error: line 1: blocks are nested deeper than 16");
  EXPECT_EQ(rendered(nested(100'000, ""), ten), "error: line 1: blocks are nested deeper than 16");
}

TEST(TemplateText, ManyVariablesTakeNoLongerThanTheyMust) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "{{v" + std::to_string(i) + "}}";
  EXPECT_EQ(rendered(text), "");
}

TEST(TemplateText, ContentIsTheBodyOrAField) {
  const auto content = [](const char* text, DocumentForm form) {
    return template_content(Document::parse(text, form).value());
  };
  EXPECT_EQ(content("---\nname: a\n---\n\nDear {{x}}\n", DocumentForm::markdown), "Dear {{x}}\n");
  EXPECT_EQ(content("---\nname: a\ncontent: no\n---\nyes", DocumentForm::markdown), "yes");
  EXPECT_EQ(content("metadata: {name: a}\ndata:\n  content: Hi {{x}}\n", DocumentForm::yaml),
            "Hi {{x}}");
  EXPECT_EQ(content("name: a\ncontent: Hi\n", DocumentForm::yaml), "Hi");
  EXPECT_EQ(content("---\nname: a\n---\n<style>\nb {}\n</style>\n<template>\nHi\n</template>\n",
                    DocumentForm::markdown),
            "Hi\n");
  EXPECT_EQ(content("---\nname: a\n---\nA `<template>` is a tag\n", DocumentForm::markdown),
            "A `<template>` is a tag\n");
  EXPECT_EQ(content("---\nname: a\n---\n", DocumentForm::markdown), "");
}

}  // namespace
}  // namespace lode
