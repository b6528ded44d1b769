#include "workspace/secrets.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(Secrets, AreHiddenWhereverTheyStand) {
  for (const char* path :
       {".git", ".git/config", ".lode-00ff.unfinished", "a/.git/HEAD", ".env", ".env.local",
        "deep/.env", "id_rsa", "keys/server.pem", "x.key", ".ssh/known_hosts", ".npmrc"}) {
    EXPECT_TRUE(secret_path(path)) << path;
  }
}

TEST(Secrets, AreNotWhatOnlyLooksLikeThem) {
  for (const char* path : {"", "README.md", ".gitignore", ".github/workflows/ci.yml", "src/key.cc",
                           ".env.example", "id_rsa.pub", "environment.md", "git/x"}) {
    EXPECT_FALSE(secret_path(path)) << path;
  }
}

TEST(Secrets, DoNotDependOnCase) {
  for (const char* path :
       {".ENV", "Server.PEM", ".GIT/config", "ID_RSA", "a/.lode-00ff.unfinished"}) {
    EXPECT_TRUE(secret_path(path)) << path;
    EXPECT_TRUE(SecretRules().hides(path)) << path;
  }
}

TEST(Secrets, BackupsAreAsSecretAsTheirOriginals) {
  for (const char* path : {"server.key.bak", "a/Server.KEY.BAK2", ".netrc.bak", ".env.bak17",
                           "x.pem.bak.bak", ".git.bak/config"}) {
    EXPECT_TRUE(secret_path(path)) << path;
    EXPECT_TRUE(SecretRules().hides(path)) << path;
  }
  const SecretRules rules({}, {"plan.txt", "/private/"});
  EXPECT_TRUE(rules.hides("a/plan.txt.bak"));
  EXPECT_TRUE(rules.hides_entry("a/plan.txt.bak3"));
  EXPECT_FALSE(rules.hides("notes.txt.bak"));
  EXPECT_FALSE(rules.hides("id_rsa.pub"));
  EXPECT_FALSE(SecretRules({"x.key"}, {}).hides("x.key")) << "shown";
}

TEST(Secrets, CopiesAreAsSecretAsTheirOriginals) {
  for (const char* path : {"server.key~", "server.key.orig", ".key.pem.swp", "#.env#", ".#.env",
                           "prod.env", "putty.ppk", "x.PEM.old"}) {
    EXPECT_TRUE(secret_path(path)) << path;
  }
  for (const char* path : {"README.md~", "a.txt.orig", ".vimrc", "#notes#", "~"}) {
    EXPECT_FALSE(secret_path(path)) << path;
  }
}

TEST(SecretRules, AloneAreTheBuiltInSet) {
  const SecretRules rules;
  EXPECT_TRUE(rules.hides("a/.env"));
  EXPECT_TRUE(rules.hides(".git/config"));
  EXPECT_FALSE(rules.hides("a/b.cc"));
  EXPECT_FALSE(rules.hides(""));
}

TEST(SecretRules, ShowWhatTheUserShows) {
  const SecretRules rules({".env.test", "/certs/*.pem", ".aws/"}, {});
  EXPECT_FALSE(rules.hides("deep/.env.test"));
  EXPECT_FALSE(rules.hides("deep/.ENV.test"));
  EXPECT_FALSE(rules.hides("certs/ca.pem"));
  EXPECT_FALSE(rules.hides(".aws/config"));
  EXPECT_TRUE(rules.hides("deep/certs/ca.pem"));
  EXPECT_TRUE(rules.hides(".env"));
  EXPECT_TRUE(rules.hides(".aws/x.key"));
}

TEST(SecretRules, HideWhatTheUserHidesAndAllBelow) {
  const SecretRules rules({"passwords.txt", ".env"}, {"passwords*", "/private/", ".ENV"});
  EXPECT_TRUE(rules.hides("a/passwords.txt"));
  EXPECT_TRUE(rules.hides("Private/notes/a.md"));
  EXPECT_TRUE(rules.hides(".env"));
  EXPECT_FALSE(rules.hides("a/private/b"));
  EXPECT_TRUE(rules.hides_entry("private"));
  EXPECT_FALSE(rules.hides_entry("private/notes"));
}

TEST(SecretRules, HoldBelowADirectoryAsTheyHoldAboveIt) {
  const SecretRules rules({"docs/.env"}, {"docs/private", "*.bak", "/vault"});
  const auto docs = rules.below("docs");
  for (const char* path : {"private", "private/a.md", "a.bak", "deep/a.bak", ".git/x", "x/.env"}) {
    EXPECT_TRUE(docs.hides(path)) << path;
  }
  for (const char* path : {".env", "vault", "deep/private", "a.md"}) {
    EXPECT_FALSE(docs.hides(path)) << path;
  }
  EXPECT_TRUE(docs.hides_entry("private"));
  EXPECT_FALSE(rules.below("docs").below("deep").hides("private"));
  EXPECT_TRUE(rules.below("docs").below("private").hides("anything"));
  EXPECT_TRUE(rules.below("vault").hides_entry("anything"));
}

}  // namespace
}  // namespace lode
