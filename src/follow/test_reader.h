// A reader for tests: keeps the texts of all files that end with ".txt", and what it
// read.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/derived_file.h"
#include "base/mutex.h"
#include "base/varint.h"
#include "follow/file_reader.h"
#include "follow/tree.h"
#include "workspace/changes.h"
#include "workspace/root.h"

namespace lode {

class TestReader final : public FileReader {
 public:
  // folders: one for each tree. kept: the file between runs; empty: none.
  explicit TestReader(std::vector<std::string> folders, std::string kept = "")
      : folders_(std::move(folders)), kept_(std::move(kept)) {}

  // What the files say, as far as is known: "path=text".
  std::set<std::string> texts(std::size_t tree = 0) const LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    std::set<std::string> out;
    for (const auto& [place, record] : known_) {
      if (place.tree == tree) out.insert(place.path + "=" + record.text);
    }
    return out;
  }
  std::vector<std::string> reads() const LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    return reads_;
  }
  void forget_reads() LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    reads_.clear();
  }
  ToldChanges told() const LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    return told_;
  }
  std::size_t batches() const LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    return batches_;
  }

  void save() const LODE_EXCLUDES(mutex_) {
    std::string body;
    const Lock lock(mutex_);
    for (const auto& [place, record] : known_) {
      put_varint(body, place.tree);
      put_text(body, place.path);
      put_varint(body, record.stamp);
      put_text(body, record.text);
    }
    EXPECT_TRUE(write_derived(kept_, seal(kFormat, body)));
  }

  // Called while a file is read, after its stamp was taken and before its text is.
  std::function<void(const FilePlace&)> while_reading;
  // Called when a batch is settled.
  std::function<void(const Settled&)> on_settled;
  bool readable = true;  // else read() says that nothing can be read
  Log log = Log::silent();
  static constexpr std::string_view kFormat = "texts of a test 1";

  std::shared_ptr<const FollowedTree> open(std::size_t tree,
                                           const Watcher::Callback& changed) override {
    auto opened = open_tree(folders_[tree], "", SecretRules(), log, changed);
    return opened ? std::move(*opened) : nullptr;
  }
  Standing standing(const FilePlace& place, std::uint64_t stamp) override LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    const auto found = known_.find(place);
    if (found != known_.end()) {
      return found->second.stamp == stamp ? Standing::current : Standing::outdated;
    }
    return place.path.ends_with(".txt") ? Standing::unknown : Standing::unwanted;
  }
  std::size_t known_files() const override LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    return known_.size();
  }
  void each_known(std::size_t tree, std::string_view directory, const Visit& visit) const override
      LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    for (const auto& [place, record] : known_) {
      if (place.tree == tree && is_within(place.path, directory)) visit(place.path);
    }
  }
  bool read(const FilePlace& place, const OpenFile& file) override LODE_EXCLUDES(mutex_) {
    if (!readable) return false;
    {
      const Lock lock(mutex_);
      reads_.push_back(place.path);
      EXPECT_TRUE(reading_.insert(place).second) << "read twice at once";
    }
    if (while_reading) while_reading(place);
    auto text = read_all(file, 1 << 20);
    const Lock lock(mutex_);
    reading_.erase(place);
    known_[place] = {stamp_of(file.info), text ? *text : ""};
    return true;
  }
  void forget(const FilePlace& place) override LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    known_.erase(place);
  }
  void load_kept() override LODE_EXCLUDES(mutex_) {
    const auto bytes = kept_.empty() ? not_found("") : read_derived(kept_, 1 << 20);
    const auto body = bytes ? unseal(kFormat, bytes->view()) : bytes.error();
    if (!body) return;
    std::map<FilePlace, Record> known;
    VarintReader in(*body);
    while (in.ok() && !in.at_end()) {
      FilePlace place;
      place.tree = in.number(folders_.size() - 1);
      place.path = in.text();
      const auto stamp = in.number(UINT64_MAX);
      known[place] = {stamp, std::string(in.text())};
    }
    const Lock lock(mutex_);
    if (in.ok()) known_ = std::move(known);
  }
  void settled(const Settled& settled) override LODE_EXCLUDES(mutex_) {
    if (on_settled) on_settled(settled);
    const Lock lock(mutex_);
    told_.insert(told_.end(), settled.told.begin(), settled.told.end());
    ++batches_;
  }

 private:
  struct Record {
    std::uint64_t stamp = 0;
    std::string text{};
  };

  const std::vector<std::string> folders_;
  const std::string kept_;
  mutable Mutex mutex_;
  std::map<FilePlace, Record> known_ LODE_GUARDED_BY(mutex_);
  std::vector<std::string> reads_ LODE_GUARDED_BY(mutex_);
  std::set<FilePlace> reading_ LODE_GUARDED_BY(mutex_);
  ToldChanges told_ LODE_GUARDED_BY(mutex_);
  std::size_t batches_ LODE_GUARDED_BY(mutex_) = 0;
};

}  // namespace lode
