// Which elements are active in this workspace: records, heard of by every
// process on it.
//
// A mark is a type and an id; whether there is such an element is not asked. A
// change of the marks changes the pages that show them, and is published with
// them (store/change_feed.h). Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "providers/capability/element.h"
#include "store/change_feed.h"
#include "store/database.h"

namespace lode {

class ActiveElements {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;
  static constexpr std::size_t kMost = 256;

  struct Active {
    ElementType type = ElementType::persona;
    std::string id;
    std::chrono::system_clock::time_point since;
  };

  // REQUIRES: the database is migrated; both outlive it.
  ActiveElements(
      Database& database, ChangeFeed& feed,
      Clock clock = [] { return std::chrono::system_clock::now(); });

  // False: it is so already. Code::conflict: kMost are active.
  Result<bool> activate(ElementType type, std::string_view id);
  Result<bool> deactivate(ElementType type, std::string_view id);

  Result<bool> is_active(ElementType type, std::string_view id) const;
  // The first that was activated first.
  Result<std::vector<Active>> list() const;

  // The same as it was last read, for who must not wait: after this process changed
  // something, and at refresh(), which is for when another did. Never null.
  std::shared_ptr<const std::vector<Active>> known() const LODE_EXCLUDES(mutex_);
  void refresh() LODE_EXCLUDES(refreshing_, mutex_);

 private:
  Status publish(Transaction& transaction);

  Database& database_;
  ChangeFeed& feed_;
  const Clock clock_;
  Mutex refreshing_;  // held while it is read, so that the last to be kept is the newest
  mutable Mutex mutex_;
  std::shared_ptr<const std::vector<Active>> known_ LODE_GUARDED_BY(mutex_) =
      std::make_shared<const std::vector<Active>>();
};

}  // namespace lode
