// A tree with a source, a folder of elements and a place to export to, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "providers/capability/transfer/export.h"
#include "providers/capability/transfer/import.h"
#include "workspace/test_tree.h"

namespace lode {

struct TransferOptions {
  std::optional<TransferFormat> format{};
  bool dry_run = false;
  bool replace = false;
};

class TransferFixture : public ::testing::Test {
 protected:
  TransferFixture() { tree.make_directory("w"); }

  std::string folder() const { return (tree / "w/.lode/elements").string(); }

  Result<TransferReport> try_import(const std::string& from, const TransferOptions& options) const {
    auto source = SourceTree::open((tree / from).string());
    if (!source) return std::move(source).error();
    return import_elements(
        {*source, options.format, folder(), true, options.dry_run, options.replace},
        ElementGate::open());
  }
  TransferReport import(const std::string& from = "source") const { return import(from, {}); }
  TransferReport import(const std::string& from, const TransferOptions& options) const {
    return try_import(from, options).value();
  }

  Result<TransferReport> try_export(const std::string& to, TransferFormat format,
                                    std::vector<std::string> only = {},
                                    const TransferOptions& options = {}) const {
    Log log(-1, Log::Form::text, LogLevel::off);
    Index index;
    Collection collection({folder(), ""}, index, log, [](const auto&) {});
    return export_elements({collection, (tree / to).string(), "", format, std::nullopt,
                            std::move(only), options.dry_run, options.replace},
                           ElementGate::open());
  }

  // What became of a file: "kept", "mended", …; empty: it is not in the report.
  static std::string fate(const TransferReport& report, const std::string& from) {
    for (const auto& moved : report.moved) {
      if (moved.from == from) return std::string(to_string(moved.fate));
    }
    return "";
  }
  static std::string note(const TransferReport& report, const std::string& from) {
    for (const auto& moved : report.moved) {
      if (moved.from == from && !moved.notes.empty()) return moved.notes.front();
    }
    return "";
  }

  std::string read(const std::string& file) const {
    std::ifstream in(tree / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string element(const std::string& file) const { return read("w/.lode/elements/" + file); }

  // Every file below a directory, with its bytes.
  std::map<std::string, std::string> files(const std::string& directory) const {
    std::map<std::string, std::string> out;
    if (!std::filesystem::exists(tree / directory)) return out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree / directory)) {
      if (!entry.is_regular_file()) continue;
      const auto name = std::filesystem::relative(entry.path(), tree / directory).string();
      out[name] = read(directory + "/" + name);
    }
    return out;
  }

  TestTree tree;
};

}  // namespace lode
