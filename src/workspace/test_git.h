// Runs git in a directory, for tests that need real repositories.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace lode {

// The user's own configuration has no say; the author and the time are fixed.
inline void run_git(const std::filesystem::path& directory, const std::string& arguments) {
  const std::string command =
      "cd '" + directory.string() +
      "' && HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1"
      " GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_AUTHOR_DATE='1700000000 +0000'"
      " GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com"
      " GIT_COMMITTER_DATE='1700000000 +0000' git " +
      arguments + " >/dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << arguments;
}

}  // namespace lode
