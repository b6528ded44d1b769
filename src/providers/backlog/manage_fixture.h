// A backlog, what is known of it, and a manager, for tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "base/log.h"
#include "providers/backlog/manage.h"
#include "workspace/test_tree.h"

namespace lode {

class TaskManageFixture : public ::testing::Test {
 protected:
  static constexpr std::chrono::system_clock::time_point kNow{std::chrono::seconds(1'768'482'301)};

  TaskManageFixture() { tree.make_directory("w"); }

  // One of the processes on the backlog.
  struct Process {
    explicit Process(TaskManageFixture& fixture)
        : tasks(fixture.place(), fixture.log, [](const auto&) {}),
          manager(tasks, fixture.manager_place(), [&fixture] { return fixture.now; }) {}
    Tasks tasks;
    TaskManager manager;
  };

  Tasks::Place place() const { return {path(""), (tree / "w").string(), {}, ""}; }
  TaskManager::Place manager_place() const {
    TaskManager::Place place{(tree / "state").string(), {}};
    place.resource_path = [root = (tree / "w/").string()](std::string_view absolute) {
      return absolute.starts_with(root) ? std::optional(std::string(absolute.substr(root.size())))
                                        : std::nullopt;
    };
    return place;
  }

  // Without a slash at its end.
  std::string path(const std::string& file) const {
    const auto directory = (tree / "w/.lode/backlog").string();
    return file.empty() ? directory : directory + "/" + file;
  }
  void write(const std::string& file, const std::string& text) const {
    tree.write("w/.lode/backlog/" + file, text);
  }
  std::string read(const std::string& file) const {
    std::ifstream in(path(file), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool exists(const std::string& file) const { return std::filesystem::exists(path(file)); }

  // What the tool answers.
  static std::string run(const TaskManager& manager, const std::string& json) {
    auto done = manager.run(ManageGate::open(), parse_json(json).value());
    if (!done) return "error: " + done.error().message;
    return done->items.at(0).bytes;
  }
  std::string run(const std::string& json) { return run(process.manager, json); }
  std::optional<TaskHead> task(const std::string& id) const { return process.tasks.find(id); }
  // Of an answer that has one.
  static std::string version_in(const std::string& answer) {
    const auto at = answer.find("(version ");
    return at == answer.npos ? "" : answer.substr(at + 9, answer.find(')', at) - at - 9);
  }

  TestTree tree;
  Log log = Log(-1, Log::Form::text, LogLevel::off);
  std::chrono::system_clock::time_point now = kNow;
  Process process{*this};
};

}  // namespace lode
