// URI templates. Input: a template; on the next line a URI; on each further line
// the value of a variable, in their order ("[a,b" is a list, "{a,b" a map).
//
//  - A template that is read keeps its text, and its expansion cannot fail.
//  - What a match finds makes the URI again, up to how it is percent-encoded.
//  - An expansion matches, and gives back the values where only one reading is
//    possible: in the query, and for a single variable before it.
#include "base/uri_template.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/uri.h"
#include "fuzz.h"

namespace lode::fuzz {
namespace {

bool in_query(const TemplateVariable& variable) { return variable.op == '?' || variable.op == '&'; }

TemplateValue value_of(std::string_view line) {
  const bool list = line.starts_with('[');
  const bool map = line.starts_with('{');
  if (!list && !map) return std::string(line);
  line.remove_prefix(1);
  TemplateList items;
  while (!line.empty()) items.emplace_back(take_until(line, ','));
  if (list) return items;
  TemplateMap pairs;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) pairs.emplace_back(items[i], items[i + 1]);
  return pairs;
}

Bindings bindings_of(const UriTemplate& uri_template, std::string_view lines) {
  Bindings values;
  for (const auto& variable : uri_template.variables()) {
    if (lines.empty()) break;
    values.insert_or_assign(variable.name, value_of(take_until(lines, '\n')));
  }
  return values;
}

std::string path_of(std::string_view uri) { return std::string(uri.substr(0, uri.find('?'))); }

// A {+a} writes reserved characters and encodings as they are: one that begins
// the query, or means another character, does not come back.
bool comes_back_raw(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (has_encoding_at(text, i)) return false;
  }
  return text.find_first_of("?#") == std::string_view::npos;
}

// A {&a} goes on with a query, and writes no '?' if nothing began one.
bool begins_query(const UriTemplate& uri_template, const Bindings& values) {
  const auto& all = uri_template.variables();
  const auto given = [&](char op) {
    return std::any_of(all.begin(), all.end(), [&](const auto& variable) {
      return variable.op == op && values.contains(variable.name);
    });
  };
  return given('?') || !given('&');
}

bool comes_back(const UriTemplate& uri_template, const TemplateMatch& found) {
  const auto& all = uri_template.variables();
  return std::all_of(all.begin(), all.end(), [&](const auto& variable) {
    const auto* value = found.find(variable.name);
    return variable.op != '+' || value == nullptr || comes_back_raw(*value);
  });
}

void check_match(const UriTemplate& uri_template, std::string_view uri) {
  const auto found = uri_template.match(uri);
  if (!found) return;
  check(uri_template.matchable(), "only what is matchable matches");
  Bindings values(found->values.begin(), found->values.end());
  for (const auto& variable : uri_template.variables()) {
    check(in_query(variable) || found->find(variable.name) != nullptr,
          "a match has every variable of the path");
  }
  const bool no_uri = uri.find('\0') != std::string_view::npos;
  if (no_uri || !comes_back(uri_template, *found) || !begins_query(uri_template, values)) return;
  const auto theirs = decode(path_of(uri));
  const auto ours = decode(path_of(uri_template.expand(values)));
  check(theirs.ok() && ours.ok() && *theirs == *ours, "what was found makes the URI again");
}

// Values from which a template makes a URI that can be taken apart again.
bool invertible(const UriTemplate& uri_template, const Bindings& values) {
  if (!begins_query(uri_template, values)) return false;
  const auto& all = uri_template.variables();
  return std::all_of(all.begin(), all.end(), [&](const auto& variable) {
    const auto found = values.find(variable.name);
    if (found == values.end()) return in_query(variable);
    const auto* text = std::get_if<std::string>(&found->second);
    if (text == nullptr || text->find('\0') != std::string::npos) return false;
    if (in_query(variable)) return true;
    return !text->empty() && (variable.op != '+' || comes_back_raw(*text));
  });
}

void check_inverse(const UriTemplate& uri_template, const Bindings& values) {
  const auto uri = uri_template.expand(values);
  if (uri.size() > Uri::kMaxLength || !invertible(uri_template, values)) return;
  const auto found = uri_template.match(uri);
  check(found.has_value(), "an expansion matches");
  check(found->extra.empty(), "with nothing left over");
  const auto& all = uri_template.variables();
  const auto in_path =
      std::count_if(all.begin(), all.end(), [](const auto& v) { return !in_query(v); });
  for (const auto& variable : all) {
    const auto given = values.find(variable.name);
    const auto* value = found->find(variable.name);
    if (given == values.end()) {
      check(value == nullptr, "what was not given is not found");
    } else if (in_query(variable) || in_path == 1) {
      check(value != nullptr && *value == std::get<std::string>(given->second),
            "a value comes back as it was given");
    }
  }
}

// What is not a URI's is encoded in every expansion.
void check_characters(std::string_view uri) {
  check(std::all_of(uri.begin(), uri.end(),
                    [](char c) {
                      return c > ' ' && c < '\x7f' &&
                             std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
                    }),
        "an expansion has no character that must be encoded");
}

}  // namespace

void run(std::string_view input) {
  const auto text = take_until(input, '\n');
  const auto uri = take_until(input, '\n');
  const auto uri_template = UriTemplate::parse(text);
  if (!uri_template) {
    check(uri_template.error().code == Code::invalid, "a wrong template is its writer's fault");
    return;
  }
  check(uri_template->text() == text, "a template keeps its text");
  const auto values = bindings_of(*uri_template, input);
  check_characters(uri_template->expand({}));
  check_characters(uri_template->expand(values));
  check_match(*uri_template, uri);
  if (uri_template->matchable()) check_inverse(*uri_template, values);
}

}  // namespace lode::fuzz
