#include "workspace/secrets.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(Secrets, AreHiddenWhereverTheyStand) {
  for (const char* path : {".git", ".git/config", "a/.git/HEAD", ".env", ".env.local", "deep/.env",
                           "id_rsa", "keys/server.pem", "x.key", ".ssh/known_hosts", ".npmrc"}) {
    EXPECT_TRUE(secret_path(path)) << path;
  }
}

TEST(Secrets, AreNotWhatOnlyLooksLikeThem) {
  for (const char* path : {"", "README.md", ".gitignore", ".github/workflows/ci.yml", "src/key.cc",
                           ".env.example", "id_rsa.pub", "environment.md", "git/x"}) {
    EXPECT_FALSE(secret_path(path)) << path;
  }
}

}  // namespace
}  // namespace lode
