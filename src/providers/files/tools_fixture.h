// A workspace with the file tools, for tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/test_gate.h"
#include "providers/files/tools.h"
#include "workspace/test_tree.h"

namespace lode {

class FileToolsFixture : public ::testing::Test {
 protected:
  FileToolsFixture() { open({}); }

  // roots: none: the tree itself.
  void open(const std::vector<std::string>& roots, FileToolLimits limits = {}) {
    std::vector<std::string> paths;
    for (const auto& root : roots) paths.push_back((tree / root).string());
    if (paths.empty()) paths.push_back(tree.root().path());
    tools.reset();
    workspace = std::move(*Workspace::open(paths, secrets));
    const auto told = [this](const std::string& path) {
      wrote.push_back(path);
      if (on_write) on_write(path);
    };
    tools.emplace(*workspace, told, limits);
  }

  Exchange exchange() {
    return {who, deadline, stop.get_token(), progress, client, answers, &gate};
  }
  bool permits(Action action, const Uri& address) const {
    const auto path = std::string(address.path());
    for (const auto& name : hidden) {
      if (path.ends_with(name)) return false;
    }
    for (const auto& name : fixed) {
      if (path.ends_with(name) && action == Action::write) return false;
    }
    return true;
  }

  Result<std::string> call(const std::string& tool, const std::string& json) {
    auto outcome = tools->call(exchange(), tool, parse_json(json).value());
    if (!outcome) return std::move(outcome).error();
    return std::get<Contents>(*outcome).items.at(0).bytes;
  }
  // The answer, or the error's message.
  std::string find(const std::string& json) { return text(call("find_files", json)); }
  std::string edit(const std::string& json) { return text(call("file_ops", json)); }

  // A call that replaces; more: further members.
  static std::string replace(const std::string& path, const std::string& old,
                             const std::string& fresh, const std::string& more = "") {
    const JsonObject arguments{
        {"operation", "replace"}, {"path", path}, {"old", old}, {"new", fresh}};
    auto json = to_text(arguments);
    json.pop_back();
    return json + (more.empty() ? "" : "," + more) + "}";
  }

  std::string content(const std::string& path) const {
    std::ifstream in(tree / path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> names(const std::string& directory = "") const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(tree / directory)) {
      out.push_back(entry.path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  TestTree tree;
  SecretRules secrets;              // of what is opened next
  std::vector<std::string> hidden;  // ends of paths that nobody may read
  std::vector<std::string> fixed;   // and that nobody may write
  std::vector<std::string> wrote;
  std::function<void(const std::string&)> on_write;
  std::stop_source stop;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  Principal who = Principal::local();
  NoProgress progress;
  ClientAbilities client;
  Answers answers;
  const TestGate gate{
      [this](Action action, const Uri& address) { return permits(action, address); }};
  std::unique_ptr<Workspace> workspace;
  std::optional<FileTools> tools;

 private:
  static std::string text(Result<std::string> answer) {
    return answer ? std::move(*answer) : answer.error().message;
  }
};

}  // namespace lode
