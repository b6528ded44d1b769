// Two folders of elements, their collection and a manager, for tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "base/log.h"
#include "providers/capability/manage.h"
#include "store/file_bell.h"
#include "store/migrations.h"
#include "store/sqlite.h"
#include "workspace/test_tree.h"

namespace lode {

class ManageFixture : public ::testing::Test {
 protected:
  static constexpr std::chrono::system_clock::time_point kNow{std::chrono::seconds(1'768'482'301)};

  ManageFixture() { tree.make_directory("w"); }

  Collection& collection() { return *collection_; }
  ElementManager::Clock clock() {
    return [this] { return now; };
  }

  // Another process on the same folders.
  struct Process {
    explicit Process(ManageFixture& fixture)
        : collection(fixture.folders(), index, fixture.log, [](const auto&) {}),
          manager(collection, nullptr, (fixture.tree / "state/trash").string(), fixture.clock()) {}
    Index index;
    Collection collection;
    ElementManager manager;
  };

  Collection::Folders folders() const {
    return {(tree / "w/.lode/elements").string(), (tree / "home/elements").string()};
  }

  // Of the workspace unless it begins with "home".
  std::string path(const std::string& file) const {
    return file.starts_with("home/") ? "home/elements/" + file.substr(5)
                                     : "w/.lode/elements/" + file;
  }
  void write(const std::string& file, const std::string& text) const {
    tree.write(path(file), text);
  }
  std::string read(const std::string& file) const {
    std::ifstream in(tree / path(file), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool exists(const std::string& file) const { return std::filesystem::exists(tree / path(file)); }

  // What the tool answers.
  static std::string run(const ElementManager& manager, const std::string& json) {
    auto done = manager.run(ElementGate::open(), parse_json(json).value());
    if (!done) return "error: " + done.error().message;
    return done->items.at(0).bytes;
  }
  std::string run(const std::string& json) const { return run(*manager_, json); }
  Code code(const std::string& json) const {
    return manager_->run(ElementGate::open(), parse_json(json).value()).error().code;
  }

  TestTree tree;
  Log log = Log(-1, Log::Form::text, LogLevel::off);
  std::chrono::system_clock::time_point now = kNow;
  std::unique_ptr<Database> database_ =
      open_sqlite({.path = (tree / "state/db").string(), .forced_reruns = 1}).value();
  const FileBell bell_{(tree / "state/bell").string()};
  const Status migrated_ = migrate(*database_, lode_migrations());
  ChangeFeed feed_{*database_, bell_};
  ActiveElements active_{*database_, feed_};
  Index index_;
  std::unique_ptr<Collection> collection_ =
      std::make_unique<Collection>(folders(), index_, log, [](const auto&) {});
  std::unique_ptr<ElementManager> manager_ = std::make_unique<ElementManager>(
      *collection_, &active_, (tree / "state/trash").string(), clock());
};

}  // namespace lode
