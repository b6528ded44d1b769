// The owner's token: one for each workspace, in a file of its state directory that
// only the user can read, where scripts of this user find it. All servers of the
// workspace share it; it is 48 hexadecimal digits and nothing else.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/secret_file.h"

namespace lode {

// Any thread; blocks.
class OwnerToken {
 public:
  // Hears what the user should know of, while a token is made.
  using Tell = std::function<void(const std::string& word)>;

  // The directory exists before anything is called.
  OwnerToken(const std::string& state_dir, Tell tell);

  const std::string& path() const { return file_.path(); }
  // The token of the file. Nothing: there is none that can be relied on.
  std::optional<std::string> look() const;
  // The same, made if there is none. A file that is empty, or that others may open, is
  // replaced, and that is told. Code::invalid: it has something else, which somebody may
  // have written by hand. Code::unavailable: another process held the lock.
  Result<std::string> keep() const;
  // A new one; who has the old one is nobody any more.
  Result<std::string> rotate() const;

 private:
  const Tell tell_;
  const SecretFile file_;
};

}  // namespace lode
