#include "providers/project/language_table.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "workspace/workspace.h"

namespace lode {
namespace {

struct LanguageRow {
  std::string_view key;
  std::string_view name;
};

// kEndings, kNames and kInterpreters, in the order of their keys.
#include LODE_LANGUAGE_ROWS_FILE

std::string_view find(std::span<const LanguageRow> rows, std::string_view key) {
  const auto found = std::ranges::lower_bound(rows, key, {}, &LanguageRow::key);
  return found == rows.end() || found->key != key ? std::string_view() : found->name;
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lower;
}

std::string_view by_ending(std::string_view name) {
  for (auto dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
    if (const auto found = find(kEndings, name.substr(dot)); !found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string_view language_by_name(std::string_view path) {
  const auto name = last_name(path);
  if (const auto found = find(kNames, name); !found.empty()) return found;
  if (const auto found = by_ending(name); !found.empty()) return found;
  return by_ending(in_lower_case(name));
}

// "#!/usr/bin/env -S elixir --sname x" and "#!/usr/bin/python3.11" name elixir and python3.
std::string_view language_by_interpreter(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  auto line = text.substr(2, text.find('\n') - 2);
  while (!line.empty()) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    const auto word = line.substr(0, line.find_first_of(" \t\r"));
    line.remove_prefix(word.size());
    auto program = last_name(word);
    if (program == "env" || word.starts_with('-')) continue;
    for (; !program.empty(); program.remove_suffix(1)) {
      if (const auto found = find(kInterpreters, program); !found.empty()) return found;
      const char last = program.back();
      if (last != '.' && (last < '0' || last > '9')) break;
    }
    return {};
  }
  return {};
}

}  // namespace lode
