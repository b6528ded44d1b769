// The owner's token: one for each workspace, in a file of its state directory that
// only the user can read, where scripts of this user find it. All servers of the
// workspace share it; it is 48 hexadecimal digits and nothing else.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "store/secret_file.h"

namespace lode {

// Any thread; blocks.
class OwnerToken {
 public:
  // The directory exists before anything is called.
  explicit OwnerToken(const std::string& state_dir) : file_(state_dir + "/token") {}

  const std::string& path() const { return file_.path(); }
  // The token of the file. Nothing: there is none that can be relied on.
  std::optional<std::string> look() const;
  // The same, made if there is none.
  Result<std::string> keep() const;
  // A new one; who has the old one is nobody any more.
  Result<std::string> rotate() const;

 private:
  const SecretFile file_;
};

}  // namespace lode
