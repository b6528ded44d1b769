// A temporary directory for tests, removed with its contents.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "workspace/root.h"

namespace lode {

class TestTree {
 public:
  TestTree() : path_(make()), root_(std::move(*Root::open(path_.string()))) {}
  ~TestTree() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestTree(const TestTree&) = delete;
  TestTree& operator=(const TestTree&) = delete;

  const Root& root() const { return root_; }
  std::filesystem::path operator/(const std::string& relative) const { return path_ / relative; }

  // Directories on the way are made.
  void write(const std::string& relative, const std::string& text) const {
    std::filesystem::create_directories((path_ / relative).parent_path());
    std::ofstream(path_ / relative, std::ios::binary) << text;
  }
  void make_directory(const std::string& relative) const {
    std::filesystem::create_directories(path_ / relative);
  }
  void remove(const std::string& relative) const { std::filesystem::remove_all(path_ / relative); }
  void rename(const std::string& from, const std::string& to) const {
    std::filesystem::rename(path_ / from, path_ / to);
  }

 private:
  static std::filesystem::path make() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lode-XXXXXX").string();
    const char* made = ::mkdtemp(pattern.data());
    EXPECT_NE(made, nullptr);
    return pattern;
  }

  const std::filesystem::path path_;
  const Root root_;
};

}  // namespace lode
