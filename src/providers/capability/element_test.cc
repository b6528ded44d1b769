#include "providers/capability/element.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "providers/capability/alias.h"
#include "providers/capability/folder.h"
#include "providers/capability/persona_text.h"
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

TEST(Element, APlaceholderThatIsNotDeclaredIsAVariableAllTheSame) {
  const auto reading = read_element(
      {ElementType::template_,
       "template/t.md",
       "---\nname: T\ndescription: d\nvariables:\n  - {name: who, required: true}\n---\n"
       "Dear {{who}}, {{greeting}}{{#each items}}{{title}}{{/each}}.\n",
       {}});
  ASSERT_TRUE(reading);
  const auto& variables = reading->element.variables;
  ASSERT_EQ(variables.size(), 3U);
  EXPECT_EQ(variables[1].name, "greeting");
  EXPECT_FALSE(variables[1].required);
  EXPECT_EQ(variables[2].name, "items");
  EXPECT_EQ(variables[2].type, "list or map");
  EXPECT_EQ(texts_of(reading->problems),
            (Texts{"variables: {{greeting}} is not declared, and is taken as optional",
                   "variables: {{items}} is not declared, and is taken as optional"}));
}

TEST(Element, ATemplateThatCannotBeFilledInSaysWhy) {
  const auto reading =
      read_element({ElementType::template_,
                    "template/t.md",
                    "---\nname: T\ndescription: d\n---\nDear {{who}},\n{{translate who}}\n",
                    {}});
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->problems.size(), 1U);
  EXPECT_TRUE(reading->problems[0].text.starts_with(
      "the text cannot be filled in: line 2: {{translate who}} is not understood: there is no "
      "helper \"translate\""));
}

TEST(Element, APersonaWithoutAPromptIsToldFromItsFields) {
  const auto text = [](const char* yaml) {
    return persona_text(Document::parse(yaml, DocumentForm::yaml).value());
  };
  EXPECT_EQ(text("name: Ada\ndescription: Designs systems.\ntraits: [calm, exact]\n"
                 "communication_style: {tone: dry, formality: formal}\n"
                 "behavior: [Asks first]\nexpertise: [APIs]\nconstraints: [No haste]\n"
                 "metadata: {category: professional}\n"),
            "Designs systems.\n\nTraits:\n- calm\n- exact\n\nStyle:\n- tone: dry\n- formality: "
            "formal\n\nBehavior:\n- Asks first\n\nExpertise:\n- APIs\n\nConstraints:\n- No haste");
  EXPECT_EQ(text("metadata: {id: a, name: Ada, description: Designs.}\ndata:\n"
                 "  behavioral_traits: [{name: calm, description: never hurries, intensity: 8}]\n"
                 "  expertise_areas: [{domain: APIs, level: expert, keywords: [REST, RPC]}]\n"),
            "Designs.\n\nTraits:\n- calm (never hurries; intensity: 8)\n\nExpertise:\n- APIs "
            "(level: expert; keywords: REST, RPC)");
  EXPECT_EQ(text("name: Ada\ndescription: x\nsystem_prompt: You design.\ntraits: [calm]\n"),
            "You design.");
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

TEST(Element, ATypeThatTheFolderContradictsIsAProblem) {
  const auto reading =
      read(ElementType::agent, "agent/x.md", "name: x\ndescription: d\ntype: personas\n");
  EXPECT_EQ(texts_of(reading.problems),
            Texts{"type says persona, but the file is in a folder of type agent, which counts: "
                  "move it to persona/, or change its type"});
  EXPECT_TRUE(read(ElementType::agent, "agent/x.md", "name: x\ndescription: d\ntype: helper\n")
                  .problems.empty());
}

TEST(Element, Utf16IsNamed) {
  using namespace std::string_literals;
  for (const auto& text : {"\xff\xfe-\0"s, "\xfe\xff\0-"s, "-\0-\0"s, "\0-\0-"s}) {
    const auto reading = read_element({ElementType::persona, "persona/x.md", text, {}});
    ASSERT_FALSE(reading);
    EXPECT_EQ(reading.error().message, "line 1: the file is in UTF-16: save it as UTF-8");
  }
}

TEST(Element, MisplacedFilesAreNamed) {
  const auto none = [](std::string_view) { return false; };
  const auto skill = [](std::string_view folder) { return folder == "skill/pdf"; };
  for (const char* file : {"x.md", "wizard/x.yaml", "persona/x.MD", "agent/x.json"}) {
    EXPECT_TRUE(misplaced(file, none)) << file;
  }
  for (const char* file : {"persona/x.md", "README.md", "persona/README.MD", "x.txt", ".x.md",
                           ".git/x.md", "persona/.state/x.json", "memory/_index.json"}) {
    EXPECT_FALSE(misplaced(file, none)) << file;
  }
  EXPECT_FALSE(misplaced("skill/pdf/data.json", skill));
  EXPECT_TRUE(misplaced("skill/other/data.json", skill));
}

TEST(Element, AliasesStandForAddresses) {
  EXPECT_EQ(without_alias("dollhouse://capability-index/summary"), "capability-index://summary");
  EXPECT_EQ(without_alias("capability://nexs-mcp/index/elements/Personas/*"),
            "capability-index://elements/persona/*");
  EXPECT_EQ(without_alias("capability-index://elements/skills"),
            "capability-index://elements/skill");
  for (const char* other : {"file:///a", "dollhouse://capability-indexes/a", "**"}) {
    EXPECT_EQ(without_alias(other), other);
  }
}

TEST(ElementTime, DatesAreUnderstoodAsTheyAreWritten) {
  const auto seconds = [](std::string_view text) -> std::int64_t {
    const auto time = parse_time(text);
    return time ? time->time_since_epoch().count() : -1;
  };
  constexpr std::int64_t kMidnight = 1'768'435'200;  // 2026-01-15
  EXPECT_EQ(seconds("2026-01-15"), kMidnight);
  EXPECT_EQ(seconds("2026-01-15T13:05"), kMidnight + 13 * 3600 + 300);
  EXPECT_EQ(seconds("2026-01-15T13:05:01Z"), kMidnight + 13 * 3600 + 301);
  EXPECT_EQ(seconds("2026-01-15 13:05:01.123456"), kMidnight + 13 * 3600 + 301);
  EXPECT_EQ(seconds("2026-01-15T13:05:01.5+02:00"), kMidnight + 11 * 3600 + 301);
  EXPECT_EQ(seconds("2026-01-15T13:05:01 -0130"), kMidnight + 14 * 3600 + 1801 + 300);
  for (const char* none : {"", "soon", "2026", "2026-13-01", "2026-02-30", "2026-01-15T",
                           "15.1.2026", "2026-01-15T25:00:00Z", "2026-01-15T13:05:01X",
                           "2026-01-15T13:05:01+", "2026-01-15T13:05:01+02:00:00", "2026-01-1５"}) {
    EXPECT_EQ(seconds(none), -1) << none;
  }
}

TEST(ElementTime, AnElementsOwnDatesComeBeforeItsFiles) {
  const auto dates = [](const std::string& fields) {
    const std::string text = "---\nname: A\ndescription: d\n" + fields + "---\n";
    const auto element = read_element({ElementType::persona, "persona/a.md", text,
                                       std::chrono::sys_days(std::chrono::year(2026) / 5 / 6)})
                             .value()
                             .element;
    return element.created + " " + element.updated;
  };
  EXPECT_EQ(dates("created: 2024-01-02\n"), "2024-01-02 2024-01-02");
  EXPECT_EQ(dates("created: 2024-01-02\nmodified: 2025-01-02\n"), "2024-01-02 2025-01-02");
  EXPECT_EQ(dates("created: 2024-01-02\nupdated: soon\n"), "2024-01-02 soon");
  EXPECT_EQ(dates("created: long ago\n"), "long ago 2026-05-06T00:00:00Z");
  EXPECT_EQ(dates("updatedAt: 2025-01-02\n"), "2025-01-02 2025-01-02");
  EXPECT_EQ(dates(""), "2026-05-06T00:00:00Z 2026-05-06T00:00:00Z");
}

TEST(ElementText, DatesIdsAndWordsOfTheFormatAreNoText) {
  const auto reading =
      read_element({ElementType::template_,
                    "template/a.md",
                    "---\nname: A\ndescription: d\nunique_id: template_a_20250101\nversion: 1.2.3\n"
                    "created: 2024-01-02T03:04:05Z\nlast_used: yesterday\nnote: 2025-05-05\n"
                    "variables:\n  - {name: colour, type: string, description: Which paint}\n"
                    "data: {skillId: s_1, system_prompt: Paint well}\n---\nBody words.\n",
                    {}})
          .value();
  const auto& text = reading.searched;
  for (const char* word : {"colour", "Which paint", "Paint well", "Body words."}) {
    EXPECT_NE(text.find(word), text.npos) << word;
  }
  for (const char* word : {"2025", "1.2.3", "2024", "yesterday", "string", "s_1"}) {
    EXPECT_EQ(text.find(word), text.npos) << word;
  }
}

}  // namespace
}  // namespace lode
