// Files of markdown and YAML. Input: a path, its keys divided by '.'; on the next
// line a value as JSON, or none to remove; then the file, as YAML if the path
// begins with '/'.
//
//  - A file is read, or refused with the line.
//  - A value that is set is there; what is removed is not. All other values are as
//    before, and so are the bytes outside the frontmatter.
//  - A refused edit changes nothing, and neither does setting what is there.
//  - A new file made of the values says the same.
#include "store/document.h"

#include <string>

#include "fuzz.h"

namespace lode::fuzz {
namespace {

YamlPath path_of(std::string_view dotted) {
  YamlPath path;
  do path.emplace_back(take_until(dotted, '.'));
  while (!dotted.empty());
  return path;
}

void check_refusal(const Error& error) {
  check(error.code == Code::invalid, "a wrong file is its writer's fault");
  check(error.message.starts_with("line "), "a refusal names the line");
}

void check_read(const Document& document, std::string_view file) {
  check(document.text() == file, "a file is kept as it is");
  check(document.frontmatter().is_map(), "the frontmatter is a map");
  check(file.ends_with(document.body()), "the body is the end of the file");
  check(file.find(document.frontmatter_text()) != file.npos, "the frontmatter is part of it");
}

void check_identity(Document document) {
  const auto before = document.text();
  const auto values = document.frontmatter();
  for (const auto& member : values.members) {
    check(document.set({member.key}, to_json(member.value)).ok(), "what is there can be set");
    check(document.text() == before, "which changes nothing");
  }
}

// Each key of the root but the one that was changed.
void check_others(const Document& before, const Document& after, const std::string& changed) {
  for (const auto& member : before.frontmatter().members) {
    if (member.key == changed) continue;
    const auto* now = after.find({member.key});
    check(now != nullptr && identical(member.value, *now), "other values are as before");
  }
}

void check_edit(const Document& document, const YamlPath& path, const Json* value) {
  Document edited = document;
  const bool was_there = document.find(path) != nullptr;
  const auto status = value != nullptr ? edited.set(path, *value) : edited.remove(path);
  if (!status) {
    check(edited.text() == document.text(), "a refused edit changes nothing");
    return;
  }
  const auto* now = edited.find(path);
  if (value != nullptr) {
    check(now != nullptr && equal(*now, *value), "a value that is set is there");
  } else {
    check(was_there, "only what is there is removed");
    const YamlPath above(path.begin(), path.end() - 1);
    check(child_count(*edited.find(above)) + 1 == child_count(*document.find(above)),
          "and only it");
  }
  check_others(document, edited, path[0]);
  check(edited.body() == document.body(), "the body stays");
}

void check_body(Document document, std::string_view body) {
  const auto before = document;
  if (!document.set_body(body)) {
    check(document.text() == before.text(), "a refused body changes nothing");
    return;
  }
  std::string lines(document.body());
  if (body.find('\r') == body.npos) std::erase(lines, '\r');
  check(lines == body, "a body that is set is there");
  check(document.frontmatter_text() == before.frontmatter_text(), "the frontmatter stays");
}

void check_new_file(const Document& document) {
  const Json values = to_json(document.frontmatter());
  const auto text = make_document(values.get_object(), document.body());
  if (!text) return check(text.error().code == Code::invalid, "or is over a limit");
  const auto made = Document::parse(*text, DocumentForm::markdown);
  check(made && equal(made->frontmatter(), values), "a new file says the same");
}

}  // namespace

void run(std::string_view input) {
  auto dotted = take_until(input, '\n');
  const auto json = take_until(input, '\n');
  const bool yaml = dotted.starts_with('/');
  if (yaml) dotted.remove_prefix(1);
  const auto document =
      Document::parse(std::string(input), yaml ? DocumentForm::yaml : DocumentForm::markdown);
  if (!document) return check_refusal(document.error());
  check_read(*document, input);
  check_identity(*document);
  check_new_file(*document);
  check_body(*document, json);
  check_body(*document, input);
  const auto path = path_of(dotted);
  check_edit(*document, path, nullptr);
  if (const auto value = parse_json(json)) check_edit(*document, path, &*value);
}

}  // namespace lode::fuzz
