// Who makes something of files: what a Follower (follow/follower.h) asks and tells.
//
// A reader has a record of each file that is known: what the file said, and the stamp
// that it had (stamp_of(), taken before the first byte was read). It keeps the records
// itself, with locks of its own, because each answers other questions from them; the
// follower holds no lock while it calls, and no lock of the reader's may be held while
// the follower is called. Calls come from the follower's threads, and from those that
// call look_now() and look_through_now().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "follow/file_place.h"
#include "follow/tree.h"
#include "workspace/changes.h"
#include "workspace/root.h"

namespace lode {

// Changes, each with the tree that they are in.
using ToldChanges = std::vector<std::pair<std::size_t, Changes>>;

class FileReader {
 public:
  virtual ~FileReader() = default;

  // ---- which files ----

  // Null: the tree is not there now. changed: to be told what changes in it; empty if
  // nobody follows, or if others tell.
  virtual std::shared_ptr<const FollowedTree> open(std::size_t tree,
                                                   const Watcher::Callback& changed) = 0;

  // What a file with this stamp is to the reader.
  enum class Standing : std::uint8_t {
    unwanted,  // not known, and its name says that it will never be
    unknown,   //
    outdated,  // known with another stamp
    current,   // known as it is
  };
  // 0: its stamp is not known. Called for every file of a sweep: here a record that an
  // earlier run left may become one that counts.
  virtual Standing standing(const FilePlace& place, std::uint64_t stamp) = 0;

  // Of all trees; and by name those at or below a directory of one. Only names are taken
  // in the visit: locks may be held.
  virtual std::size_t known_files() const = 0;
  using Visit = std::function<void(std::string_view path)>;
  virtual void each_known(std::size_t tree, std::string_view directory,
                          const Visit& visit) const = 0;

  // What else is to be looked at after these changes, because it means something else
  // now: files, and the whole tree.
  struct More {
    std::vector<std::string> paths{};
    bool tree = false;
  };
  virtual More more(std::size_t /*tree*/, const Changes& /*changes*/) const { return {}; }

  // ---- what they say ----

  // Makes a record of the file, in place of what was known of it. Never called for one
  // file on two threads at once. False: nothing can be read any more, and the thread
  // that called is to end.
  virtual bool read(const FilePlace& place, const OpenFile& file) = 0;
  // There is no such file, or it is left out.
  virtual void forget(const FilePlace& place) = 0;

  // ---- between runs ----

  // Takes what an earlier run left. Called once, before the first standing() of the
  // follower's threads.
  virtual void load_kept() {}

  // ---- what to tell ----

  struct Settled {
    ToldChanges told{};                 // what was told, in that order
    std::size_t looked_at = 0;          // files
    std::chrono::milliseconds took{0};  //
    bool swept = false;                 // every tree that is there was looked through once
  };
  // All that was told and seen up to some time has been looked at. Nothing else is looked
  // at until this returns (but by look_now()): the place to save, and to tell others.
  virtual void settled(const Settled& settled) = 0;
};

}  // namespace lode
