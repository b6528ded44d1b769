#include "providers/capability/element.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "providers/capability/template_text.h"

namespace lode {
namespace {

ElementReading read(ElementType type, const std::string& file, const std::string& frontmatter) {
  const auto text = "---\n" + frontmatter + "---\nBody\n";
  auto reading = read_element({type, file, text, {}});
  EXPECT_TRUE(reading) << reading.error().message;
  return std::move(reading).value();
}

std::vector<std::string> texts_of(const std::vector<Problem>& problems) {
  std::vector<std::string> out;
  out.reserve(problems.size());
  for (const auto& problem : problems) out.push_back(problem.text);
  return out;
}

using Texts = std::vector<std::string>;

TEST(Element, DefaultsMayBeListsAndMaps) {
  const auto element = read(ElementType::template_, "template/t.md",
                            "name: T\ndescription: d\nvariables:\n"
                            "  - {name: plain, default: a text}\n"
                            "  - {name: count, type: number, default: 3}\n"
                            "  - {name: list, type: array, default: [one, 2, {a: true}]}\n"
                            "  - {name: map, type: object, default: {key: [x]}}\n"
                            "  - {name: none, default: null}\n")
                           .element;
  ASSERT_EQ(element.variables.size(), 5U);
  EXPECT_EQ(element.variables[0].fallback, "a text");
  EXPECT_EQ(element.variables[1].fallback, "3");
  EXPECT_EQ(element.variables[2].fallback, R"(["one",2,{"a":true}])");
  EXPECT_EQ(element.variables[3].fallback, R"({"key":["x"]})");
  EXPECT_EQ(element.variables[4].fallback, std::nullopt);
  EXPECT_EQ(*render_template("{{#each list}}{{this}};{{/each}}{{map.key}}", element.variables, {}),
            R"(one;2;{"a":true};["x"])");
}

TEST(Element, APlaceholderThatIsNoTextIsNoVariable) {
  const auto reading =
      read_element({ElementType::template_,
                    "template/t.md",
                    "---\nname: T\ndescription: d\n---\nDear {{who}}, {{\xC3one}}.\n",
                    {}});
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->element.variables.size(), 1U);
  EXPECT_EQ(reading->element.variables[0].name, "who");
}

TEST(Element, AVariableMayHaveChoices) {
  const auto element = read(ElementType::template_, "template/t.md",
                            "name: T\ndescription: d\nvariables:\n"
                            "  - {name: tone, enum: [kind, stern], required: true}\n"
                            "  - {name: size, options: [1, 2], type: number}\n")
                           .element;
  EXPECT_EQ(element.variables[0].choices, (Texts{"kind", "stern"}));
  EXPECT_EQ(element.variables[1].choices, (Texts{"1", "2"}));
  const auto render = [&](const JsonObject& values) {
    auto text = render_template("{{tone}} {{size}}", element.variables, values);
    return text ? *text : text.error().message;
  };
  EXPECT_EQ(render({{"tone", "kind"}, {"size", "2"}}), "kind 2");
  EXPECT_EQ(render({{"tone", "kind"}, {"size", 1}}), "kind 1");
  EXPECT_EQ(render({{"tone", "loud"}}),
            "\"tone\" is to be one of kind, stern, which \"loud\" is not");
}

TEST(Element, LengthsAreCountedInCharacters) {
  const auto problems = [](const std::string& name) {
    return texts_of(
        read(ElementType::persona, "persona/p.md", "name: " + name + "\ndescription: d\n")
            .problems);
  };
  std::string name;
  for (int i = 0; i < 100; ++i) name += "語";
  EXPECT_EQ(problems(name), Texts{});
  EXPECT_EQ(problems(name + "語"), Texts{"name is longer than 100 characters"});
}

TEST(Element, TheDescriptionOfASkillMayBeLonger) {
  const auto problems = [](ElementType type, std::size_t length) {
    return texts_of(read(type, fmt::format("{}/x.md", to_string(type)),
                         "name: x\ndescription: " + std::string(length, 'd') + "\n")
                        .problems);
  };
  EXPECT_EQ(problems(ElementType::skill, 1024), Texts{});
  EXPECT_EQ(problems(ElementType::skill, 1025),
            Texts{"description is longer than 1024 characters"});
  EXPECT_EQ(problems(ElementType::agent, 501), Texts{"description is longer than 500 characters"});
}

TEST(Element, AnIdThatNoAddressCanHoldIsNone) {
  for (const std::string id : {"..", ".", "a/../b"}) {
    const auto reading = read(ElementType::persona, "persona/dots.md",
                              "name: x\nid: '" + id + "'\ndescription: d\n");
    EXPECT_EQ(reading.element.id, "dots");
    EXPECT_EQ(texts_of(reading.problems),
              Texts{"the id cannot stand in an address; the file's name does"});
  }
  const auto slashes =
      read(ElementType::persona, "persona/x.md", "name: x\nid: a/b\ndescription: d\n");
  EXPECT_EQ(slashes.element.id, "a/b");
  EXPECT_EQ(slashes.element.uri(), "capability-index://elements/persona/a%2Fb");
}

}  // namespace
}  // namespace lode
