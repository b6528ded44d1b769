#include "server/resource_body.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

Content markdown(std::string text) {
  Content content = Content::text(std::move(text));
  content.mime = "text/markdown";
  return content;
}

// Frontmatter is what stands before "|"; "!" cannot be read.
ResourceFiles test_files() {
  ResourceFiles files;
  files.split_markdown = [](std::string_view text) -> Result<MarkdownParts> {
    if (text.starts_with("!")) return invalid("line 1: no");
    const auto bar = text.find('|');
    if (bar == text.npos) return MarkdownParts();
    return MarkdownParts{{{"title", std::string(text.substr(0, bar))}}, bar + 1};
  };
  return files;
}

std::string shown(const Content& content, std::string_view uri = "x://a/b.md",
                  std::string_view path = "", std::string_view notice = "") {
  return resource_json({content, uri, path, notice}, test_files());
}

TEST(ResourceBody, HasTheContentWithoutItsFrontmatter) {
  EXPECT_EQ(shown(markdown("Hi|the body"), "x://a/b", "docs/a.md"),
            R"({"content":"the body","encoding":"utf-8","frontmatter":{"title":"Hi"},)"
            R"("type":"text/markdown","path":"docs/a.md","uri":"x://a/b","ext":"md","size":11})");
  EXPECT_EQ(shown(markdown("none")),
            R"({"content":"none","encoding":"utf-8","frontmatter":{},"type":"text/markdown",)"
            R"("path":null,"uri":"x://a/b.md","ext":"md","size":4})");
  // Other texts are not looked into.
  EXPECT_NE(shown(Content::text("a|b")).find(R"("content":"a|b")"), std::string::npos);
}

TEST(ResourceBody, KeepsFrontmatterThatCannotBeRead) {
  const auto body = shown(markdown("!bad|body"));
  EXPECT_NE(body.find(R"("content":"!bad|body")"), std::string::npos);
  EXPECT_NE(body.find(R"("frontmatter":{},"problem":"the frontmatter cannot be read: line 1: no")"),
            std::string::npos);
}

TEST(ResourceBody, SaysThatBytesAreEncoded) {
  const auto body = shown(Content::binary("image/png", std::string("\x89\0P", 3)), "x://a/p.PNG");
  EXPECT_EQ(body, R"({"content":"iQBQ","encoding":"base64","frontmatter":{},"type":"image/png",)"
                  R"("path":null,"uri":"x://a/p.PNG","ext":"png","size":3})");
}

TEST(ResourceBody, TellsVersionTimeAndNotice) {
  Content content = Content::text("t");
  content.version = "v1";
  content.origin = kOfWorkspace;
  content.modified = std::chrono::system_clock::time_point{};
  EXPECT_EQ(shown(content, "x://a", "", "instead"),
            R"({"content":"t","encoding":"utf-8","frontmatter":{},"type":"text/plain",)"
            R"("path":null,"uri":"x://a","ext":"txt","size":1,"version":"v1",)"
            R"("origin":"workspace","modified":"1970-01-01T00:00:00Z","notice":"instead"})");
}

TEST(ResourceBody, FindsAnExtension) {
  EXPECT_EQ(extension_of("/w/a.TXT", "x://b.md", ""), "txt");
  EXPECT_EQ(extension_of("", "x://a/b.tar.gz?q=a.b", ""), "gz");
  EXPECT_EQ(extension_of("/w/Makefile", "x://a/b.md", "text/plain"), "txt");
  EXPECT_EQ(extension_of("/w/.gitignore", "", ""), "");
  EXPECT_EQ(extension_of("", "capability-index://stats", "application/json"), "json");
  EXPECT_EQ(extension_of("", "x://a/b.md@v1", "text/markdown"), "md");
  EXPECT_EQ(extension_of("/w/a.<b>", "", "image/png"), "");
  // What is made of a file is not what the file is.
  EXPECT_EQ(extension_of("/w/TASK-0001.md", "", "application/json"), "json");
  EXPECT_EQ(extension_of("/w/a.ts", "", "application/json"), "json");
  EXPECT_EQ(extension_of("/w/a.yaml", "", "text/markdown"), "md");
  EXPECT_EQ(extension_of("/w/a.markdown", "", "text/markdown"), "markdown");
  EXPECT_EQ(extension_of("/w/a.log", "", "text/plain"), "log");
  EXPECT_EQ(extension_of("/w/a.ts", "", "text/typescript"), "ts");
}

TEST(ResourceBody, NamesTheAddressOfARefusal) {
  EXPECT_EQ(resource_error_json(404, "x://a", "no such resource"),
            R"({"error":"Resource not found","uri":"x://a","message":"no such resource"})");
  EXPECT_EQ(resource_error_json(400, "x://a?token=abc", "no"),
            R"({"error":"Invalid request","uri":"x://a?token=***","message":"no"})");
  EXPECT_EQ(resource_error_json(400, "\xff", "no"),
            R"({"error":"Invalid request","uri":"\\xff","message":"no"})");
  EXPECT_EQ(resource_status(Code::not_found), 404);
  EXPECT_EQ(resource_status(Code::denied), 403);
  EXPECT_EQ(resource_status(Code::unavailable), 503);
  EXPECT_EQ(resource_status(Code::timeout), 500);
}

TEST(ResourceBody, SendsNoHeaderThatAProviderMadeUp) {
  const auto type = [](std::string mime, bool text = true) {
    Content content = text ? Content::text("") : Content::binary("", "");
    content.mime = std::move(mime);
    return raw_type(content);
  };
  EXPECT_EQ(type("text/markdown"), "text/markdown; charset=utf-8");
  EXPECT_EQ(type("text/markdown", false), "text/markdown");
  EXPECT_EQ(type("application/json"), "application/json");
  EXPECT_EQ(type("inode/directory"), "text/plain; charset=utf-8");
  EXPECT_EQ(type(""), "text/plain; charset=utf-8");
  EXPECT_EQ(type("", false), "application/octet-stream");
  for (const char* bad :
       {"x", "a/b\r\nSet-Cookie: x", "a/", "/b", "a/b/c", "text/html; x=\"", "a b/c"}) {
    EXPECT_EQ(type(bad), "application/octet-stream") << bad;
  }
}

TEST(ResourceBody, GivesActiveTypesForSavingOnly) {
  for (const char* active : {"text/html; charset=utf-8", "image/svg+xml", "application/xml",
                             "application/xhtml+xml", "TEXT/XML", "text/xsl"}) {
    EXPECT_TRUE(only_for_saving(active)) << active;
  }
  for (const char* plain : {"text/plain", "image/png", "application/json", "application/pdf"}) {
    EXPECT_FALSE(only_for_saving(plain)) << plain;
  }
  EXPECT_EQ(saving_as("file:///w/a%20b%22.html?x=/y"),
            "attachment; filename*=UTF-8''a%20b%22.html");
  EXPECT_EQ(saving_as("x://"), "attachment");
}

TEST(ResourceBody, TakesAnotherServersContents) {
  const auto contents = contents_of(
      {R"({"contents":[{"uri":"y://a","mimeType":"a/b","text":"t"},{"uri":"y://b","blob":"AAE="}]})"});
  ASSERT_TRUE(contents);
  ASSERT_EQ(contents->items.size(), 2U);
  EXPECT_EQ(contents->items[0].mime, "a/b");
  EXPECT_EQ(contents->items[0].bytes, "t");
  EXPECT_EQ(contents->items[1].form, Content::Form::binary);
  EXPECT_EQ(contents->items[1].bytes, std::string("\0\1", 2));
  for (const char* bad : {"", "{}", R"({"contents":[]})", R"({"contents":[{"uri":"x"}]})",
                          R"({"contents":[{"blob":"?"}]})", R"({"contents":5})"}) {
    EXPECT_EQ(contents_of({bad}).error().code, Code::internal) << bad;
  }
}

}  // namespace
}  // namespace lode
