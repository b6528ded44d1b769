// Random documents in all styles, edited at random: what may not change does
// not, and what a parser sees is what was asked for. The seeds are fixed.
#include <gtest/gtest.h>

#include "store/document.h"
#include "store/test_author.h"

namespace lode {
namespace {

// All paths that an edit may name, in a document's order.
void collect(const YamlNode& node, YamlPath& path, std::vector<YamlPath>& out) {
  for (std::size_t i = 0; i < child_count(node); ++i) {
    path.push_back(node.is_map() ? node.members[i].key : std::to_string(i));
    out.push_back(path);
    if (child_at(node, i).style != YamlStyle::alias) collect(child_at(node, i), path, out);
    path.pop_back();
  }
}

// The same edit on JSON; without a value, a removal.
void edit_json(Json& root, const YamlPath& path, const Json* value) {
  Json* at = &root;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    at = at->is_object() ? &at->get_object()[path[i]] : &at->get_array()[std::stoul(path[i])];
  }
  const auto& last = path.back();
  if (auto* map = at->if_object()) {
    if (value == nullptr) {
      map->stable_erase(map->find(last));
    } else {
      (*map)[last] = *value;
    }
    return;
  }
  auto& list = at->get_array();
  const auto index = static_cast<std::ptrdiff_t>(std::stoul(last));
  if (value == nullptr) {
    list.erase(list.begin() + index);
  } else if (index == static_cast<std::ptrdiff_t>(list.size())) {
    list.push_back(*value);
  } else {
    list[static_cast<std::size_t>(index)] = *value;
  }
}

// The offset at which the line of a path's key or dash begins.
std::size_t first_changed(const Document& document, const YamlPath& path) {
  const auto before = document.text().size() - document.body().size();
  const auto yaml = document.frontmatter_text();
  const auto base = static_cast<std::size_t>(yaml.data() - document.text().data());
  EXPECT_LE(base, before);
  const YamlPath above(path.begin(), path.end() - 1);
  const auto& parent = *document.find(above);
  std::size_t at = parent.span.content;
  const auto index = child_index(parent, path.back());
  if (index < child_count(parent)) {
    at = parent.is_map() ? parent.members[index].span.begin : parent.items[index].span.begin;
    // A dash may stand on a line before its item.
    if (parent.is_list()) at = index > 0 ? parent.items[index - 1].span.end : parent.span.begin;
  }
  if (parent.style == YamlStyle::flow) at = parent.span.begin;
  // The last child leaves its parent changed, on the line of its key.
  if (child_count(parent) == 1 && path.size() > 1) return first_changed(document, above);
  return base + (at == 0 ? 0 : yaml.rfind('\n', at - 1) + 1);
}
std::size_t last_changed(const Document& document, const YamlPath& path) {
  const auto yaml = document.frontmatter_text();
  const auto base = static_cast<std::size_t>(yaml.data() - document.text().data());
  const auto* node = document.find(path);
  const auto* parent = document.find({path.begin(), path.end() - 1});
  if (node == nullptr || parent->style == YamlStyle::flow) node = parent;
  return base + std::min(yaml.find('\n', node->span.end), yaml.size() - 1) + 1;
}

class Editing {
 public:
  Editing(Random& random, Document document, bool may_refuse)
      : random_(random), document_(std::move(document)), may_refuse_(may_refuse) {
    YamlPath path;
    collect(document_.frontmatter(), path, paths_);
  }

  void check() {
    if (paths_.empty()) return;
    check_identity();
    YamlPath path = random_.of(paths_);
    const auto* node = document_.find(path);
    const bool removes = random_.one_in(4);
    if (!removes && random_.one_in(3) && node->style != YamlStyle::alias) {
      if (node->is_map()) path.push_back(random_.one_in(2) ? "new" : "new: key");
      if (node->is_list()) path.push_back(std::to_string(node->items.size()));
    }
    if (!removes && random_.one_in(8)) path = {"new"};
    const Json value = any_value(random_);
    check_edit(path, removes ? nullptr : &value);
  }

  int refused() const { return refused_; }

 private:
  void check_identity() {
    const auto& path = random_.of(paths_);
    Document copy = document_;
    const auto status = copy.set(path, to_json(*copy.find(path)));
    EXPECT_TRUE(status);
    EXPECT_EQ(copy.text(), document_.text());
  }

  void check_edit(const YamlPath& path, const Json* value) {
    Document edited = document_;
    const auto status = value != nullptr ? edited.set(path, *value) : edited.remove(path);
    if (!status) {
      EXPECT_TRUE(may_refuse_) << status.error().message << "\n" << document_.text();
      EXPECT_EQ(status.error().code, Code::unsupported) << status.error().message;
      EXPECT_EQ(edited.text(), document_.text());
      ++refused_;
      return;
    }
    const std::string shown = document_.text() + "\n=>\n" + edited.text();
    Json wanted = to_json(document_.frontmatter());
    edit_json(wanted, path, value);
    ASSERT_TRUE(equal(edited.frontmatter(), wanted)) << to_text(wanted) << "\n" << shown;
    ASSERT_EQ(edited.body(), document_.body());
    check_bytes(edited, path, value == nullptr, shown);
    const auto* old = document_.find(path);
    const bool in_map = document_.find({path.begin(), path.end() - 1})->is_map();
    if (old != nullptr && (value != nullptr || in_map)) check_way_back(edited, path, to_json(*old));
  }

  void check_bytes(const Document& edited, const YamlPath& path, bool removes,
                   const std::string& shown) {
    const auto& before = document_.text();
    auto first = first_changed(document_, path);
    // What was the last line is so without a line end, if the file has none.
    if (edited.text().size() < first) first = before.find_last_not_of("\r\n", first - 1) + 1;
    auto rest = std::string_view(before).substr(last_changed(document_, path));
    // What comes behind something removed may move up to its dash.
    if (removes) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \r\n"), rest.size()));
    }
    ASSERT_EQ(edited.text().substr(0, first), before.substr(0, first)) << shown;
    ASSERT_TRUE(edited.text().ends_with(rest)) << shown;
    // A text that keeps its last lines may need one.
    if (!edited.text().empty() && !removes) {
      ASSERT_EQ(before.ends_with('\n'), edited.text().ends_with('\n')) << shown;
    }
  }

  void check_way_back(Document edited, const YamlPath& path, const Json& old) {
    const auto status = edited.set(path, old);
    if (!status) {
      EXPECT_TRUE(may_refuse_) << status.error().message << "\n" << edited.text();
    } else {
      EXPECT_TRUE(equal(*edited.find(path), old));
    }
  }

  Random& random_;
  Document document_;
  bool may_refuse_;
  std::vector<YamlPath> paths_;
  int refused_ = 0;
};

void run(unsigned seed, int rounds, bool anchors) {
  Random random(seed);
  int refused = 0;
  for (int round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
    const auto form = random.one_in(2) ? DocumentForm::yaml : DocumentForm::markdown;
    const auto text = Author(random, anchors).document(form);
    auto document = Document::parse(text, form);
    ASSERT_TRUE(document) << document.error().message << "\n" << text;
    // Behind a block that the end of the file ends, nothing can be added.
    const bool unended = !document->frontmatter_text().ends_with('\n');
    Editing editing(random, *std::move(document), anchors || unended);
    for (int i = 0; i < 4; ++i) editing.check();
    refused += editing.refused();
  }

  EXPECT_LT(refused, rounds / 2) << "of " << 4 * rounds << " edits";
}

TEST(DocumentModel, EditsChangeWhatTheyShould) { run(1, 1'500, false); }

TEST(DocumentModel, AnchorsAreKeptOrTheEditIsRefused) { run(2, 1'000, true); }

TEST(DocumentModel, DamagedDocumentsAreRefusedOrEdited) {
  using namespace std::string_literals;
  Random random(3);
  static const auto kBytes = "-:#[]{}&*!|>'\"\\%@`,? \t\r\n\0\xC3\xA9\xE2\x80\xA8\xFF~.a1"s;
  for (int round = 0; round < 3'000; ++round) {
    auto text = Author(random, true).document(DocumentForm::yaml);
    for (auto n = 1 + random.below(8); n > 0 && !text.empty(); --n) {
      const auto at = random.below(text.size());
      if (random.one_in(3)) {
        text.erase(at, random.below(8));
      } else {
        text.insert(at, 1 + random.below(3), random.of(kBytes));
      }
    }
    if (random.one_in(4)) text = "---\n" + text + "\n---\nbody";
    const auto form = random.one_in(2) ? DocumentForm::yaml : DocumentForm::markdown;
    auto document = Document::parse(text, form);
    if (!document) {
      EXPECT_EQ(document.error().code, Code::invalid);
      EXPECT_TRUE(document.error().message.starts_with("line ")) << document.error().message;
      continue;
    }
    Editing editing(random, *std::move(document), true);
    for (int i = 0; i < 3; ++i) editing.check();
  }
}

}  // namespace
}  // namespace lode
