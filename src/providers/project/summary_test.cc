#include "providers/project/summary.h"

#include <gtest/gtest.h>

#include <string>

#include "base/tokens.h"

namespace lode {
namespace {

TEST(Summary, SaysWhatIsKnown) {
  ProjectFacts facts;
  facts.name = "tool";
  facts.about = "Does things.";
  facts.files = 1234;
  facts.directories = 1;
  facts.languages = {{"C++", 3, 750, true}, {"Markdown", 1, 250, true}, {"Elixir", 1, 0, false}};
  ManifestFacts manifest;
  manifest.path = "package.json";
  manifest.system = "npm";
  manifest.name = "@a/tool";
  manifest.dependencies = {{"lit", "^3"}};
  manifest.development = {{"vite", ""}};
  manifest.commands = {{"test", "npm run test"}};
  facts.manifests = {manifest};
  facts.entry_points = {{"dist/index.js", "package.json"}, {"cmd/main.go", ""}};
  facts.largest = {{"big.bin", 3 << 20}, {"small", 10}};
  facts.head = GitHead{"main", std::string(40, 'a'), "Subject", std::chrono::sys_seconds(), false};
  facts.head->time += std::chrono::hours(24);
  facts.history = ProjectFacts::History{2, true, true, {{"a.cc", 2}, {"b.cc", 1}}};
  EXPECT_EQ(
      summary_page(facts),
      "# tool (@a/tool)\n\nDoes things.\n\n1,234 files, 1 directory\n"
      "\n## Languages\n- C++: 3 files, 750 lines (75.0 %)\n- Markdown: 1 file, 250 lines (25.0 %)\n"
      "- Elixir: 1 file, 0 lines (0.0 %)\nRead in depth (symbols, references, queries): C++, "
      "Markdown\n"
      "\n## Build\nnpm\n- test: `npm run test` (package.json)\n"
      "\n## Entry points\n- dist/index.js (package.json)\n- cmd/main.go\n"
      "\n## Dependencies\n- package.json: 1 dependency: lit ^3; 1 for development: vite\n"
      "\n## Git\nBranch main, head aaaaaaaaaaaa of 1970-01-02: Subject\n"
      "Most changed in the last 2 commits: a.cc (2), b.cc (1)\n"
      "\n## Largest files\n- big.bin 3.0 MiB\n- small 10 B\n");
}

TEST(Summary, SaysWhatIsNot) {
  ProjectFacts facts;
  facts.name = "x";
  facts.complete = false;
  facts.uncounted = 5;
  facts.languages = {{"Elixir", 0, 0}};
  facts.foreign_manifests = 2;
  facts.too_long = 1;
  facts.git_problem = "the repository has no HEAD";
  ManifestFacts broken;
  broken.path = "package.json";
  broken.system = "npm";
  broken.problem = "not JSON\nat all";
  facts.manifests = {broken};
  const auto page = summary_page(facts);
  for (const char* words :
       {"0 files, 0 directories, and more than a walk takes in", "no time to look into 5 files",
        "None of these is read in depth", "left out: 2 manifests in fixtures and vendored trees",
        "1 file is too long to count lines", "package.json: cannot be read: not JSON at all",
        "## Git\nthe repository has no HEAD"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words << "\n" << page;
  }
}

TEST(Summary, HeadsOfAllKinds) {
  ProjectFacts facts;
  facts.name = "x";
  facts.head = GitHead{"main", "", "", {}, true};
  EXPECT_NE(summary_page(facts).find("Branch main of a bare repository, no commit yet\n"),
            std::string::npos);
  facts.head = GitHead{"", std::string(40, 'b'), "S", std::chrono::sys_seconds::max(), false};
  EXPECT_NE(summary_page(facts).find("Detached head, head bbbbbbbbbbbb: S\n"), std::string::npos);
}

// Whatever is in a workspace: long names, names that cost a token for each byte.
TEST(Summary, StaysShort) {
  ProjectFacts facts;
  facts.name = std::string(500, '~');
  facts.about = std::string(5000, '@');
  std::string odd;
  for (int i = 0; i < 300; ++i) odd += "\xF0\x93\x80\x80";
  for (int i = 0; i < 64; ++i) {
    ManifestFacts manifest;
    manifest.path = odd;
    manifest.system = odd + std::to_string(i);
    manifest.name = odd;
    manifest.problem = odd;
    manifest.commands = {{"build", odd}, {"test", odd}};
    for (int n = 0; n < 500; ++n) manifest.dependencies.push_back({odd, odd});
    manifest.development = manifest.dependencies;
    facts.manifests.push_back(manifest);
    facts.entry_points.push_back({odd, odd});
    facts.largest.push_back({odd, 1});
  }
  facts.head = GitHead{odd, std::string(40, 'a'), odd, {}, false};
  facts.history = ProjectFacts::History{1000, false, true, {}};
  for (int i = 0; i < 64; ++i) facts.history->changed.push_back({odd, 9});
  EXPECT_LE(Tokenizer::o200k().count(summary_page(facts)), kSummaryTokens);
}

}  // namespace
}  // namespace lode
