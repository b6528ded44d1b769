// Manifests in XML, and Gradle's: what is wanted is found by its marks, without a
// parser.
#include <fmt/format.h>

#include <algorithm>

#include "providers/project/line.h"
#include "providers/project/manifest.h"
#include "providers/project/survey.h"

namespace lode {
namespace {

// What stands between the two marks, which are taken off with what is before them;
// nothing left: there is no such thing.
std::string_view take_between(std::string_view& text, std::string_view open,
                              std::string_view close) {
  const auto begin = text.find(open);
  const auto end = begin == text.npos ? begin : text.find(close, begin + open.size());
  if (end == text.npos) {
    text = {};
    return {};
  }
  const auto inside = text.substr(begin + open.size(), end - begin - open.size());
  text.remove_prefix(end + close.size());
  return inside;
}

std::string element(std::string_view text, std::string_view name) {
  return std::string(
      trimmed(take_between(text, fmt::format("<{}>", name), fmt::format("</{}>", name))));
}

std::string attribute(std::string_view tag, std::string_view name) {
  return std::string(take_between(tag, fmt::format("{}=\"", name), "\""));
}

std::string without_comments(std::string_view text) {
  std::string out;
  for (auto begin = text.find("<!--"); begin != text.npos; begin = text.find("<!--")) {
    out += text.substr(0, begin);
    const auto end = text.find("-->", begin);
    text.remove_prefix(end == text.npos ? text.size() : end + 3);
  }
  return out.append(text);
}

}  // namespace

Status read_pom_xml(const ManifestText& manifest, ManifestFacts& facts) {
  const std::string whole = without_comments(manifest.text);
  std::string_view text = whole;
  if (text.find("<project") == text.npos) return invalid("there is no <project> in it");
  std::string_view own = text.substr(0, text.find("<dependencies>"));
  take_between(own, "<parent>", "</parent>");
  facts.name = element(own.empty() ? text : own, "artifactId");
  while (!text.empty()) {
    const auto one = take_between(text, "<dependency>", "</dependency>");
    auto name = element(one, "artifactId");
    if (name.empty()) continue;
    auto& out = element(one, "scope") == "test" ? facts.development : facts.dependencies;
    out.push_back({std::move(name), element(one, "version")});
  }
  const std::string program = manifest.beside("mvnw") ? "./mvnw" : "mvn";
  facts.commands.push_back({"build", program + " package"});
  facts.commands.push_back({"test", program + " test"});
  return {};
}

// implementation("group:name:1.0"), testImplementation 'group:name:1.0'.
Status read_gradle(const ManifestText& manifest, ManifestFacts& facts) {
  auto text = manifest.text;
  while (!text.empty()) {
    const auto line = trimmed(take_line(text));
    const auto word = line.substr(0, line.find_first_of(" ("));
    const bool test = word.starts_with("test") || word.starts_with("androidTest");
    const bool known = word == "api" || word.ends_with("mplementation") ||
                       word.ends_with("ompileOnly") || word.ends_with("untimeOnly");
    const auto begin = line.find_first_of("\"'");
    if (!known || begin == line.npos) continue;
    const auto name = line.substr(begin + 1, line.find(line[begin], begin + 1) - begin - 1);
    const auto first = name.find(':');
    if (first == name.npos || first == 0) continue;  // a part of the same build
    const auto second = std::min(name.find(':', first + 1), name.size());
    auto& out = test ? facts.development : facts.dependencies;
    out.push_back({std::string(name.substr(0, second)),
                   std::string(name.substr(std::min(second + 1, name.size())))});
  }
  const std::string program = manifest.beside("gradlew") ? "./gradlew" : "gradle";
  facts.commands.push_back({"build", program + " build"});
  facts.commands.push_back({"test", program + " test"});
  return {};
}

Status read_project_xml(const ManifestText& manifest, ManifestFacts& facts) {
  const std::string whole = without_comments(manifest.text);
  std::string_view text = whole;
  if (text.find("<Project") == text.npos) return invalid("there is no <Project> in it");
  const auto kind = element(text, "OutputType");
  if (kind == "Exe" || kind == "WinExe") facts.entry_points.emplace_back(manifest.path);
  bool tests = false;
  while (!text.empty()) {
    const auto tag = take_between(text, "<PackageReference", ">");
    auto name = attribute(tag, "Include");
    tests = tests || name == "Microsoft.NET.Test.Sdk";
    if (!name.empty()) facts.dependencies.push_back({std::move(name), attribute(tag, "Version")});
  }
  const auto path = shell_word(manifest.path);
  facts.commands.push_back({"build", "dotnet build " + path});
  if (tests) facts.commands.push_back({"test", "dotnet test " + path});
  return {};
}

}  // namespace lode
