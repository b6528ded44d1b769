// Writes the rows that providers/project/language_table.cc includes; run by the build.
//
//   lode_language_table_pack DATA OUTPUT
//
// DATA is the directory of linguist-languages with one file for each language, an object
// as JavaScript writes it: `name: 'C',`, `extensions: ['.c', '.cats'],`. Where several
// languages have an ending, it is taken for the one that is more widely used: that has it
// further in front among its own, where a language that editors have no mode for stands two
// places behind; then that has more endings. The rest is decided by the alphabet.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "lode_language_table_pack: %s\n", why.c_str());
  std::exit(1);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) fail("cannot read " + path.string());
  return std::move(text).str();
}

// The string that begins at the quote, which `at` is moved behind.
std::string take_string(std::string_view text, std::size_t& at) {
  const char quote = text[at];
  std::string value;
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
    if (at < text.size()) value += text[at];
  }
  ++at;
  return value;
}

// The strings of a field: one, or those of an array.
std::vector<std::string> field(std::string_view text, std::string_view name) {
  const auto found = text.find("\n  " + std::string(name) + ": ");
  std::vector<std::string> values;
  if (found == text.npos) return values;
  auto at = found + name.size() + 5;
  const bool array = text[at] == '[';
  while (at < text.size() && text[at] != ']') {
    if (text[at] == '\'' || text[at] == '"') {
      values.push_back(take_string(text, at));
      if (!array) break;
    } else {
      ++at;
    }
  }
  return values;
}

constexpr std::size_t kWithoutMode = 2;

// The lesser has a better claim.
struct Claim {
  std::size_t place = 0;
  std::size_t endings = 0;
  std::string name;

  bool operator<(const Claim& other) const {
    return std::tie(place, other.endings, name) < std::tie(other.place, endings, other.name);
  }
};
using Rows = std::map<std::string, Claim>;

void claim(Rows& rows, const std::string& key, const Claim& by) {
  const auto [row, is_new] = rows.emplace(key, by);
  if (!is_new) row->second = std::min(row->second, by);
}

struct Table {
  Rows endings;
  Rows names;
  Rows interpreters;

  void add(std::string_view text) {
    const auto name = field(text, "name");
    if (name.empty()) fail("a language without a name");
    const auto its_endings = field(text, "extensions");
    const bool has_mode = !field(text, "codemirrorMode").empty();
    Claim by{has_mode ? 0U : kWithoutMode, its_endings.size(), name.front()};
    for (const auto& file : field(text, "filenames")) claim(names, file, by);
    for (const auto& interpreter : field(text, "interpreters"))
      claim(interpreters, interpreter, by);
    for (const auto& ending : its_endings) {
      claim(endings, ending, by);
      ++by.place;
    }
  }
};

void write(std::ostream& out, const char* name, const Rows& rows) {
  out << "constexpr auto " << name << " = std::to_array<LanguageRow>({\n";
  for (const auto& [key, by] : rows) {
    out << "    {R\"x(" << key << ")x\", R\"x(" << by.name << ")x\"},\n";
  }
  out << "});\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) fail("usage: lode_language_table_pack DATA OUTPUT");
  Table table;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
    if (entry.path().extension() == ".js") table.add(read_file(entry.path()));
  }
  std::ofstream out(arguments[2], std::ios::binary);
  write(out, "kEndings", table.endings);
  write(out, "kNames", table.names);
  write(out, "kInterpreters", table.interpreters);
  if (!out.flush()) fail("cannot write the table");
}
