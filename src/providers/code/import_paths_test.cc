#include "providers/code/import_paths.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace lode {
namespace {

class ImportPathsTest : public testing::Test {
 protected:
  // What the import of a source, or of a name of it, means to a file; "-": nothing.
  std::string resolve(std::string_view language, std::string_view file, std::string_view source,
                      std::string_view name = {}) const {
    Import import;
    import.source = source;
    import.name = name;
    const ImportPlaces places{[&](const std::string& path, bool directory) {
                                if (!directory) return files.contains(path);
                                const auto next = files.lower_bound(path + "/");
                                return next != files.end() && next->first.starts_with(path + "/");
                              },
                              [&](const std::string& path) {
                                const auto found = files.find(path);
                                return found == files.end() ? std::string() : found->second;
                              }};
    return resolve_import(*find_language(language), file, import, places).value_or("-");
  }

  std::map<std::string, std::string> files;
};

TEST_F(ImportPathsTest, OfEcmaScriptAreFilesIfTheyBeginWithADot) {
  files = {{"src/a.ts", ""}, {"src/b/index.tsx", ""}, {"c.js", ""}, {"src/d.json", ""}};
  EXPECT_EQ(resolve("typescript", "src/x.ts", "./a"), "src/a.ts");
  EXPECT_EQ(resolve("typescript", "src/x.ts", "./a.js"), "src/a.ts");
  EXPECT_EQ(resolve("tsx", "src/x.tsx", "./b"), "src/b/index.tsx");
  EXPECT_EQ(resolve("javascript", "src/x.js", "../c"), "c.js");
  EXPECT_EQ(resolve("javascript", "src/x.js", "./d.json"), "src/d.json");
  EXPECT_EQ(resolve("javascript", "src/x.js", "c"), "-");
  EXPECT_EQ(resolve("javascript", "src/x.js", "../../c"), "-");
  EXPECT_EQ(resolve("javascript", "src/x.js", "./none"), "-");
}

TEST_F(ImportPathsTest, OfCAreLookedForAround) {
  files = {{"src/a/x.h", ""}, {"include/lib/y.h", ""}, {"src/z.h", ""}};
  EXPECT_EQ(resolve("c", "src/a/m.c", "x.h"), "src/a/x.h");
  EXPECT_EQ(resolve("cpp", "src/a/m.cc", "lib/y.h"), "include/lib/y.h");
  EXPECT_EQ(resolve("cpp", "src/a/m.cc", "../z.h"), "src/z.h");
  EXPECT_EQ(resolve("cpp", "tests/m.cc", "z.h"), "src/z.h");
  EXPECT_EQ(resolve("cpp", "src/a/m.cc", "vector"), "-");
}

TEST_F(ImportPathsTest, OfPythonAreModulesAndPackages) {
  files = {{"pkg/__init__.py", ""},
           {"pkg/mod.py", ""},
           {"pkg/sub/__init__.py", ""},
           {"src/lib/x.py", ""}};
  EXPECT_EQ(resolve("python", "main.py", "pkg.mod"), "pkg/mod.py");
  EXPECT_EQ(resolve("python", "main.py", "pkg", "mod"), "pkg/mod.py");
  EXPECT_EQ(resolve("python", "main.py", "pkg", "name"), "pkg/__init__.py");
  EXPECT_EQ(resolve("python", "pkg/sub/a.py", "..mod", "*"), "pkg/mod.py");
  EXPECT_EQ(resolve("python", "pkg/a.py", ".", "mod"), "pkg/mod.py");
  EXPECT_EQ(resolve("python", "pkg/a.py", ".", "name"), "pkg/__init__.py");
  EXPECT_EQ(resolve("python", "main.py", "lib.x"), "src/lib/x.py");
  EXPECT_EQ(resolve("python", "main.py", "os"), "-");
  EXPECT_EQ(resolve("python", "main.py", "...pkg"), "-");
}

TEST_F(ImportPathsTest, OfGoAreDirectoriesOfTheModule) {
  files = {{"go.mod", "// a module\nmodule example.org/app\n\ngo 1.21\n"}, {"internal/x/x.go", ""}};
  EXPECT_EQ(resolve("go", "cmd/main.go", "example.org/app/internal/x"), "internal/x");
  EXPECT_EQ(resolve("go", "cmd/main.go", "example.org/apple/x"), "-");
  EXPECT_EQ(resolve("go", "cmd/main.go", "fmt"), "-");
}

TEST_F(ImportPathsTest, OfOthersFollowTheirNames) {
  files = {{"src/a/b.rs", ""},
           {"src/c/mod.rs", ""},
           {"src/main/java/org/x/Thing.java", ""},
           {"lib/tool.rb", ""},
           {"src/Models/User.php", ""},
           {"lua/util/init.lua", ""},
           {"css/base.css", ""},
           {"common.sh", ""}};
  EXPECT_EQ(resolve("rust", "src/main.rs", "crate::a::b", "Item"), "src/a/b.rs");
  EXPECT_EQ(resolve("rust", "src/main.rs", "crate", "c"), "src/c/mod.rs");
  EXPECT_EQ(resolve("rust", "src/a/d.rs", "super::b", "Item"), "src/a/b.rs");
  EXPECT_EQ(resolve("rust", "src/main.rs", "std::io"), "-");
  EXPECT_EQ(resolve("java", "src/main/java/org/y/A.java", "org.x.Thing"),
            "src/main/java/org/x/Thing.java");
  EXPECT_EQ(resolve("java", "src/main/java/org/y/A.java", "org.x.Thing.CONSTANT"),
            "src/main/java/org/x/Thing.java");
  EXPECT_EQ(resolve("ruby", "bin/run.rb", "tool"), "lib/tool.rb");
  EXPECT_EQ(resolve("php", "public/index.php", "App\\Models\\User"), "src/Models/User.php");
  EXPECT_EQ(resolve("lua", "main.lua", "util"), "lua/util/init.lua");
  EXPECT_EQ(resolve("css", "css/site.css", "base.css?v=1"), "css/base.css");
  EXPECT_EQ(resolve("html", "page/index.html", "/css/base.css"), "css/base.css");
  EXPECT_EQ(resolve("bash", "ci/run.sh", "../common.sh"), "common.sh");
  EXPECT_EQ(resolve("html", "index.html", "https://example.org/a.js"), "-");
  EXPECT_EQ(resolve("sql", "a.sql", "b"), "-");
}

}  // namespace
}  // namespace lode
