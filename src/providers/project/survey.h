// What is in a project's directory and may be seen: neither ignored by git, nor
// secret, nor hidden from who asks, nor excluded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/exchange.h"
#include "workspace/path_choice.h"
#include "workspace/snapshot.h"
#include "workspace/workspace.h"

namespace lode {

class Survey {
 public:
  enum class Kind : std::uint8_t { file, directory, link };
  struct Item {
    std::string_view path;  // relative to the project's directory; valid as long as the survey
    Kind kind = Kind::file;
    std::uint64_t stamp = 0;
  };
  // Walks the directory. If the choice has a pattern, those files and links are in
  // it that the pattern names, and the directories above them.
  // Code::cancelled: stopped. Code::not_found: it is no directory.
  static Result<Survey> make(const Workspace::Place& place, const SecretRules& secrets,
                             const PathChoice& choice, const Exchange& exchange);

  // Sorted by path, bytewise.
  const std::vector<Item>& items() const { return items_; }
  std::size_t count(Kind kind) const;
  // Null: there is no such path.
  const Item* find(std::string_view path) const;
  // False: there is more than a walk takes in.
  bool complete() const { return snapshot_->complete(); }

 private:
  void select(const Workspace::Place& place, const PathChoice& choice, const Exchange& exchange);
  void drop_empty_directories();

  std::unique_ptr<const Snapshot> snapshot_;  // stays where it is: the items point into it
  std::vector<Item> items_;
};

}  // namespace lode
