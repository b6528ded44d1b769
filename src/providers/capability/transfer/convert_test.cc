#include "providers/capability/transfer/convert.h"

#include <gtest/gtest.h>

#include <chrono>

#include "providers/capability/transfer/format.h"
#include "providers/capability/transfer/forms.h"
#include "providers/capability/transfer/mend.h"
#include "store/test_author.h"
#include "store/yaml_write.h"

namespace lode {
namespace {

constexpr std::chrono::system_clock::time_point kTime{std::chrono::seconds(1'768'482'301)};

Element element_of(ElementType type, const std::string& file, const std::string& text) {
  auto read = read_element({type, file, text, kTime});
  EXPECT_TRUE(read.ok()) << text << (read ? "" : read.error().message);
  return read ? std::move(read->element) : Element();
}

ElementValue value(ElementType type, const std::string& file, const std::string& text) {
  const auto document = Document::parse(text, form_of_file(file)).value();
  return value_of(type, element_of(type, file, text).id, document.frontmatter(), document.body());
}

// As an import would take it.
Mended back(TransferFormat format, const Converted& made) {
  const std::vector<SourceFile> files{{made.file}};
  const auto place = Placer(format, files, "tree").place(files.front());
  EXPECT_EQ(place.kind, Placement::Kind::element) << made.file << ": " << place.why;
  auto mended = mend(format, place, made.file, made.text);
  EXPECT_TRUE(mended.ok()) << (mended ? "" : mended.error().message) << "\n" << made.text;
  return mended ? std::move(*mended) : Mended();
}

Result<Converted> convert(TransferFormat format, const Element& element, const std::string& text) {
  return format == TransferFormat::nexs ? to_nexs(element, text) : to_dollhouse(element, text);
}

void expect_same(ElementType type, const std::string& file, const std::string& text,
                 TransferFormat format) {
  const auto before = element_of(type, file, text);
  const auto made = convert(format, before, text);
  ASSERT_TRUE(made.ok()) << made.error().message << "\n" << text;
  const auto mended = back(format, *made);
  const auto a = value(type, file, text);
  const auto b = value(mended.type, mended.target, mended.text);
  EXPECT_TRUE(same_value(a, b)) << text << "\n=== made ===\n"
                                << made->text << "\n=== back ===\n"
                                << mended.text << to_text(a.fields) << "\n"
                                << to_text(b.fields);
  const auto after = element_of(mended.type, mended.target, mended.text);
  EXPECT_EQ(after.id, before.id);
  EXPECT_EQ(after.name, before.name);
  EXPECT_EQ(after.description, before.description);
  EXPECT_EQ(after.version, before.version);
  EXPECT_EQ(after.author, before.author);
  EXPECT_EQ(after.tags, before.tags);
  EXPECT_EQ(full_time(after.created), full_time(before.created));
}

// Fields of both families, right and wrong ones.
JsonObject some_fields(Random& random, ElementType type) {
  static const std::vector<JsonObject> kOf = {
      {{"system_prompt", "You review code with care."}, {"privacy_level", "public"}},
      {{"instructions", "Be kind."}, {"format_version", "v2"}},
      {{"triggers", JsonArray{"review", "check"}}},
      {{"triggers", JsonArray{JsonObject{{"type", "keyword"}, {"keywords", JsonArray{"a"}}}}}},
      {{"procedures", JsonArray{JsonObject{{"step", 1}, {"action", "look"}}}}},
      {{"dependencies", JsonArray{JsonObject{{"skill_id", "s"}, {"required", true}}}}},
      {{"dependencies", JsonArray{JsonObject{{"elementId", "s"}, {"elementType", "skill"}}}}},
      {{"goals", JsonArray{"Ship it", "Keep it"}}},
      {{"goal", JsonObject{{"template", "Do {x}"}}}},
      {{"members", JsonArray{JsonObject{{"agent_id", "a"}, {"role", "boss"}, {"priority", 1}}}}},
      {{"elements", JsonArray{JsonObject{{"element_name", "a"}, {"role", "core"}}}}},
      {{"entries", JsonArray{JsonObject{{"id", "m1"}, {"content", "We chose it."}}}}},
      {{"metadata", JsonObject{{"related_to", "x,y"}}}},
      {{"custom", JsonObject{{"team", "blue"}, {"name", "clash"}}}},
      {{"max_iterations", 10}},
      {{"unique_id", "u_1"}},
      {{"created", "2025-03-04"}},
      {{"modified", "2025-03-05T06:07:08Z"}},
      {{"isactive", false}},
      {{"version", "2.10.0"}, {"author", "ada"}, {"tags", JsonArray{"one", "two"}}},
      {{"author", "unknown"}},
  };
  JsonObject out{{"name", "Name " + random.of(kWords)}, {"description", "What it is for"}};
  for (auto n = random.below(6); n > 0; --n) {
    for (const auto& member : random.of(kOf)) out.insert_or_assign(member.key(), member.value());
  }
  if (random.one_in(3)) out["extra"] = any_value(random);
  if (type == ElementType::memory && random.one_in(3)) out["content"] = "It was decided.";
  return out;
}

std::string nested(JsonObject fields) {
  JsonObject metadata{{"id", "thing_1"}};
  for (const std::string_view name : {"name", "description", "version", "author", "tags"}) {
    if (const auto* field = fields.if_contains(name)) metadata.emplace(name, *field);
    fields.erase(name);
  }
  return to_yaml(JsonObject{{"metadata", metadata}, {"data", fields}});
}

TEST(Convert, ThereAndBackSaysTheSame) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    const auto type = kElementTypes[random.below(kElementTypeCount)];
    const auto fields = some_fields(random, type);
    const auto stem = std::string(to_string(type)) + "/the-thing";
    const std::string body = random.one_in(2) ? "Some text.\n\nMore: {{x}}.\n" : "";
    for (const auto format : {TransferFormat::nexs, TransferFormat::dollhouse}) {
      expect_same(type, stem + ".md", make_document(fields, body).value(), format);
      expect_same(type, stem + ".yaml", to_yaml(fields), format);
      expect_same(type, stem + ".yaml", nested(fields), format);
      if (HasFailure()) return;
    }
  }
}

TEST(Convert, KeepsTheBytesOfItsOwnForm) {
  const std::string nexs =
      "metadata:\n  id: p_1  # kept\n  name: Tutor\n  description: x\n  createdat: "
      "2025-01-01T00:00:00Z\ndata:\n  system_prompt: Explain.\n";
  const auto to = to_nexs(element_of(ElementType::persona, "persona/a.yaml", nexs), nexs).value();
  EXPECT_EQ(to.text, nexs);
  EXPECT_EQ(to.file, "elements/persona/2025-01-01/p_1.yaml");
  const std::string doll = "---\nname: Tutor # kept\ndescription: x\n---\nExplain.\n";
  const auto house =
      to_dollhouse(element_of(ElementType::persona, "persona/tutor.md", doll), doll).value();
  EXPECT_EQ(house.text, doll);
  EXPECT_EQ(house.file, "personas/tutor.md");
}

TEST(Convert, MakesWhatNexsDemands) {
  const std::string text = "---\nname: Tutor\ndescription: Explains\n---\nYou explain.\n";
  const auto made =
      to_nexs(element_of(ElementType::persona, "persona/tutor.md", text), text).value();
  const auto root = parse_yaml(made.text).value();
  EXPECT_EQ(text_of(*root.find("metadata"), "id"), "tutor");
  EXPECT_EQ(text_of(*root.find("metadata"), "type"), "persona");
  EXPECT_EQ(text_of(*root.find("metadata"), "author"), "unknown");
  EXPECT_EQ(text_of(*root.find("metadata"), "createdat"), "2026-01-15T13:05:01Z");
  EXPECT_EQ(text_of(*root.find("data"), "system_prompt"), "You explain.");
  for (const char* name : {"behavioral_traits", "expertise_areas", "response_style"}) {
    EXPECT_NE(root.find("data")->find(name), nullptr) << name;
  }
}

TEST(Convert, MakesWhatDollhouseDemands) {
  const std::string text =
      "metadata: {id: e_1, name: Team, description: x}\n"
      "data:\n  members:\n    - {agent_id: lead, role: boss, priority: 2}\n";
  const auto made =
      to_dollhouse(element_of(ElementType::ensemble, "ensemble/e.yaml", text), text).value();
  EXPECT_EQ(made.file, "ensembles/team.md");
  const auto document = Document::parse(made.text, DocumentForm::markdown).value();
  EXPECT_EQ(document.find({"elements", "0", "element_name"})->text, "lead");
  EXPECT_EQ(document.find({"elements", "0", "role"})->text, "core");
  EXPECT_EQ(document.find({"members", "0", "role"})->text, "boss");
  EXPECT_EQ(document.find({"unique_id"})->text, "e_1");
}

TEST(Convert, WhatSomebodyChangedOfTheMadeUpCounts) {
  const std::string text = "---\nname: Tutor\ndescription: Explains\n---\nYou explain.\n";
  auto made = to_nexs(element_of(ElementType::persona, "persona/tutor.md", text), text).value();
  const auto at = made.text.find("author: unknown");
  ASSERT_NE(at, std::string::npos);
  made.text.replace(at, 15, "author: ada");
  const auto mended = back(TransferFormat::nexs, made);
  EXPECT_EQ(element_of(mended.type, mended.target, mended.text).author, "ada");
}

TEST(Convert, SaysWhatIsLost) {
  const std::string text = "# why it is so\nname: Tutor\ndescription: x\ncreated: last week\n";
  const auto made = to_nexs(element_of(ElementType::persona, "persona/t.yaml", text), text).value();
  ASSERT_EQ(made.lost.size(), 1U);
  EXPECT_EQ(made.lost[0], "created \"last week\" is no time");
}

TEST(Convert, SaysWhatNexsCutsAndBringsItBack) {
  const std::string text = "---\nname: Tutor\ndescription: " + std::string(600, 'd') +
                           "\n---\nYou explain" + std::string(2500, '.') + "\n";
  const auto made =
      to_nexs(element_of(ElementType::persona, "persona/tutor.md", text), text).value();
  const auto root = parse_yaml(made.text).value();
  EXPECT_EQ(text_of(*root.find("data"), "system_prompt")->size(), 2000U);
  EXPECT_EQ(text_of(*root.find("metadata"), "description")->size(), 500U);
  ASSERT_EQ(made.lost.size(), 2U);
  EXPECT_EQ(made.lost[1],
            "system_prompt: NEXS takes 2000 bytes, so 2000 of 2511 are there; the whole comes back "
            "with it");
  EXPECT_EQ(back(TransferFormat::nexs, made).text, text);
}

TEST(Convert, WhatComesBackIsTheFileItself) {
  const std::string text =
      "---\n# why it is so\nunique_id: t_1\nname: Tutor # short\ndescription: Explains\n"
      "created_date: 2025-03-01\nversion: 1.10\n---\n\n\nYou explain.\n\n";
  const auto before = element_of(ElementType::persona, "persona/deep/tutor.md", text);
  auto made = to_nexs(before, text).value();
  EXPECT_EQ(made.lost, std::vector<std::string>());
  // NEXS names it anew and writes it elsewhere.
  made.text.replace(made.text.find("id: t_1"), 7, "id: persona_tutor_1");
  made.file = "elements/persona/2025-03-01/persona_tutor_1.yaml";
  const auto mended = back(TransferFormat::nexs, made);
  EXPECT_EQ(mended.text, text);
  EXPECT_EQ(mended.target, "persona/deep/tutor.md");
}

TEST(Convert, WhatWasChangedMeanwhileIsChangedInTheFile) {
  const std::string text =
      "---\n# why it is so\nname: Tutor\ndescription: Explains\n---\nYou explain.\n";
  const auto before = element_of(ElementType::persona, "persona/tutor.md", text);
  auto made = to_nexs(before, text).value();
  made.text.replace(made.text.find("You explain."), 12, "You teach.");
  made.text.replace(made.text.find("description: Explains"), 21, "description: Teaches");
  EXPECT_EQ(back(TransferFormat::nexs, made).text,
            "---\n# why it is so\nname: Tutor\ndescription: Teaches\n---\nYou teach.\n");
  auto house = to_dollhouse(element_of(ElementType::agent, "agent/a.yaml",
                                       "name: Ann # short\ndescription: x\ngoals: [Ship]\n"),
                            "name: Ann # short\ndescription: x\ngoals: [Ship]\n")
                   .value();
  house.text.replace(house.text.find("description: x"), 14, "description: why");
  EXPECT_EQ(back(TransferFormat::dollhouse, house).text,
            "name: Ann # short\ndescription: why\ngoals: [Ship]\n");
}

TEST(Convert, AnOriginIsBelievedWhereItSaysAPlaceOfItsType) {
  const std::string text = "---\nname: Tutor\ndescription: x\n---\nYou explain.\n";
  const auto before = element_of(ElementType::persona, "persona/tutor.md", text);
  for (const char* wrong :
       {"../tutor.md", "persona/../../tutor.md", "/persona/tutor.md", "skill/tutor.md",
        "persona/.hidden/tutor.md", "persona/tutor.sh", "tutor.md", "persona//tutor.md"}) {
    auto made = to_nexs(before, text).value();
    const std::string place = "file: persona/tutor.md";
    ASSERT_NE(made.text.find(place), std::string::npos) << made.text;
    made.text.replace(made.text.find(place), place.size(), std::string("file: ") + wrong);
    EXPECT_EQ(back(TransferFormat::nexs, made).target, "persona/tutor.md") << wrong;
  }
}

TEST(Convert, OneThatIsTooLongToBeCarriedSaysTheSame) {
  const std::string text =
      "---\n# why\nname: Tutor\ndescription: x\n---\n" + std::string(200'000, 'x') + "\n";
  const auto before = element_of(ElementType::skill, "skill/tutor.md", text);
  const auto made = to_nexs(before, text).value();
  ASSERT_EQ(made.lost.size(), 2U);
  EXPECT_TRUE(made.lost[0].starts_with("too long to carry its own file along"));
  EXPECT_EQ(made.lost[1], "comments are left behind");
  const auto mended = back(TransferFormat::nexs, made);
  EXPECT_TRUE(same_value(value(mended.type, mended.target, mended.text),
                         value(ElementType::skill, "skill/tutor.md", text)));
}

TEST(Convert, WhatIsCutComesBackWithoutTheFileToo) {
  const std::string text = "---\nname: Tutor\ndescription: " + std::string(600, 'd') + "\n---\n" +
                           std::string(200'000, 'x') + "\n";
  const auto before = element_of(ElementType::persona, "persona/tutor.md", text);
  const auto mended = back(TransferFormat::nexs, to_nexs(before, text).value());
  const auto a = value(ElementType::persona, "persona/tutor.md", text);
  const auto b = value(mended.type, mended.target, mended.text);
  EXPECT_TRUE(same_value(a, b)) << to_text(b.fields).substr(0, 2000);
}

TEST(Convert, InventsNoPrivacy) {
  const std::string text = "---\nname: Tutor\ndescription: Explains\n---\nYou explain.\n";
  const auto made =
      to_nexs(element_of(ElementType::persona, "persona/tutor.md", text), text).value();
  EXPECT_EQ(made.text.find("privacy_level"), std::string::npos);
}

TEST(Convert, NexsStartsWhateverTheShapesAre) {
  const std::string text =
      "name: Tutor\ndescription: x\ntags: alpha\nversion: [1]\nauthor: ''\nisactive: maybe\n"
      "created: 2025-13-41\n";
  const auto before = element_of(ElementType::agent, "agent/t.yaml", text);
  const auto made = to_nexs(before, text).value();
  const auto root = parse_yaml(made.text).value();
  const auto& metadata = *root.find("metadata");
  EXPECT_EQ(to_text(to_json(*metadata.find("tags"))), R"(["alpha"])");
  EXPECT_EQ(text_of(metadata, "version"), "1.0.0");
  EXPECT_EQ(text_of(metadata, "author"), "unknown");
  EXPECT_EQ(text_of(metadata, "isactive"), "true");
  EXPECT_EQ(text_of(metadata, "createdat"), "1970-01-01T00:00:00Z");
  EXPECT_EQ(back(TransferFormat::nexs, made).text, text);
}

TEST(Convert, MemoriesGoWhereDollhouseReadsThem) {
  const auto file_of = [](const std::string& file, const std::string& text) {
    const auto made = to_dollhouse(element_of(ElementType::memory, file, text), text).value();
    return made.file + (made.as_it_was ? " as it was" : "");
  };
  const std::string text = "---\nname: Decision\ndescription: x\ncreated: 2025-02-03\n---\nSo.\n";
  EXPECT_EQ(file_of("memory/decision.md", text), "memories/decision.yaml as it was");
  EXPECT_EQ(file_of("memory/system/base.yaml", text), "memories/system/base.yaml as it was");
  EXPECT_EQ(file_of("memory/2025-01-01/x.yml", text), "memories/2025-01-01/x.yaml as it was");
  EXPECT_EQ(file_of("memory/team/x.md", text), "memories/2025-02-03/x.yaml as it was");
  EXPECT_EQ(file_of("memory/my-backup-plan.md", text), "memories/my-back-up-plan.yaml as it was");
}

TEST(Convert, EntriesHaveWhatDollhouseNeeds) {
  const std::string text =
      "name: 'Decision: SQLite'\ndescription: x\ncreated: 2025-02-03\n"
      "entries: [We chose it, {content: And why}, {id: a, content: b, timestamp: 2025-02-04}]\n";
  const auto made =
      to_dollhouse(element_of(ElementType::memory, "memory/d.yaml", text), text).value();
  const auto root = parse_yaml(made.text).value();
  EXPECT_EQ(text_of(root, "name"), "Decision SQLite");
  EXPECT_EQ(dollhouse_name("Größe 計画 → B: (x)"), "Größe 計画 B (x)");
  ASSERT_EQ(root.find("entries")->items.size(), 3U);
  for (const auto& entry : root.find("entries")->items) {
    for (const char* name : {"id", "content", "timestamp"}) {
      EXPECT_TRUE(text_of(entry, name).has_value()) << name;
    }
  }
  ASSERT_EQ(made.lost.size(), 1U);
  EXPECT_TRUE(made.lost[0].starts_with("its name is \"Decision SQLite\" there"));
  EXPECT_EQ(back(TransferFormat::dollhouse, made).text, text);
}

TEST(Convert, Times) {
  EXPECT_EQ(full_time("2025-09-22"), "2025-09-22T00:00:00Z");
  EXPECT_EQ(full_time("2025-09-22 10:11:12"), "2025-09-22T10:11:12Z");
  EXPECT_EQ(full_time("2025-09-22T10:11:12.345+02:00"), "2025-09-22T10:11:12.345+02:00");
  for (const char* wrong :
       {"", "2025", "2025-9-22", "2025-13-01", "2025-02-30", "2025-01-01T25:00:00Z", "last week",
        "2025-09-22Tnoon", "2025-09-22T10:11:12 CET"}) {
    EXPECT_EQ(full_time(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace lode
