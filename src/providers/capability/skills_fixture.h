// Skills of a workspace and of a user, for tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "providers/capability/skills.h"
#include "workspace/test_tree.h"

namespace lode {

inline const std::string kPdf =
    "---\nname: pdf\ndescription: Reads PDFs\n---\nUse scripts/run.sh.\n";

inline std::string sheet(const std::string& name) {
  return "---\nname: " + name + "\ndescription: About " + name + "\n---\nBody\n";
}

using Names = std::vector<std::string>;

class SkillsTest : public testing::Test {
 protected:
  void load(SkillLimits limits = {}) {
    collection_.emplace(Collection::Folders{(work_ / "").string(), (home_ / "").string()}, index_,
                        log_, [](const auto&) {});
    collection_->start();
    collection_->wait_loaded();
    shelf_.emplace(*collection_, limits);
  }
  void write_pdf() {
    work_.write("skill/pdf/SKILL.md", kPdf);
    work_.write("skill/pdf/scripts/run.sh", "#!/bin/sh\necho hello\n");
    work_.write("skill/pdf/scripts/deep/more.txt", "more");
    work_.write("skill/pdf/logo.bin", std::string("\0\1\2\xff", 4));
  }

  // A file that changed a moment ago may change again within one step of the file
  // system's clock, so nothing of it is remembered (kSettled in skill_manifests.cc). Only
  // time makes it settled: no test can set when a file changed.
  static void let_files_settle() { std::this_thread::sleep_for(std::chrono::milliseconds(80)); }

  static Uri uri(const std::string& text) {
    auto parsed = Uri::parse(text);
    EXPECT_TRUE(parsed) << text;
    return *parsed;
  }
  std::vector<std::string> names() {
    std::vector<std::string> out;
    const auto page = shelf_->list({});
    EXPECT_TRUE(page);
    for (const auto& skill : page->items) {
      out.emplace_back(skill.frontmatter.at("name").as_string());
      EXPECT_EQ(skill.uri, "skill://" + out.back() + "/SKILL.md");
    }
    return out;
  }
  Result<Content> read(const std::string& address) {
    auto contents = shelf_->read(uri(address));
    if (!contents) return std::move(contents).error();
    EXPECT_EQ(contents->items.size(), 1U);
    EXPECT_EQ(contents->stamp, contents->stamp_now());
    return std::move(contents->items[0]);
  }
  std::string text(const std::string& address) {
    auto content = read(address);
    return content ? content->bytes : content.error().message;
  }
  static std::vector<std::string> paths(const Skill& skill) {
    std::vector<std::string> out;
    out.reserve(skill.files.size());
    for (const auto& file : skill.files) out.push_back(file.uri);
    return out;
  }
  Code code_of(const std::string& address) {
    auto content = read(address);
    return content ? Code::internal : content.error().code;
  }

  TestTree work_;
  TestTree home_;
  Index index_;
  Log log_{2, Log::Form::text, LogLevel::error};
  std::optional<Collection> collection_;
  std::optional<SkillShelf> shelf_;
};

}  // namespace lode
