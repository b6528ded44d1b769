#include "providers/code/aspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/tokens.h"
#include "base/utf8.h"
#include "syntax/text.h"

namespace lode {
namespace {

constexpr std::size_t kLineBytes = 160;                       // of a line that is shown
constexpr std::size_t kCaptureBytes = 2000;                   // of a capture's text
constexpr std::size_t kAnswerBytes = std::size_t{128} << 10;  // of all these together

std::string_view trimmed(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t\r");
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// Writes {"language":…, what the body adds, "tokens":…}.
template <class Body>
std::string answer(std::string_view language, Body body) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().member_if("language", language);
  body(out);
  out.end_object();
  return state_tokens(std::move(text));
}

void count_if_any(JsonWriter& out, std::string_view name, std::size_t count) {
  if (count > 0) out.member(name, static_cast<std::int64_t>(count));
}

std::string called(std::string_view name, std::string_view alias) {
  std::string text(name.empty() ? "" : name);
  if (!alias.empty()) text.append(text.empty() ? "as " : " as ").append(alias);
  return text;
}

// One statement's names, or a passing on of names from one file.
struct Statement {
  std::uint32_t line = 0;
  std::string_view from;
  std::optional<std::string> file;
  std::vector<std::string> names;
};

void write_statements(JsonWriter& out, const std::vector<Statement>& statements) {
  out.begin_array();
  for (const auto& [line, from, file, names] : statements) {
    out.begin_object().member("line", static_cast<std::int64_t>(line)).member("from", from);
    if (file) out.member("file", *file);
    if (!names.empty()) {
      out.key("names").begin_array();
      for (const auto& name : names) out.value(name);
      out.end_array();
    }
    out.end_object();
  }
  out.end_array();
}

// A statement of a line and a source is one, whatever it names; but for those that
// find files of their own for their names.
void add(std::vector<Statement>& statements, Statement next) {
  if (!statements.empty()) {
    auto& last = statements.back();
    if (last.line == next.line && last.from == next.from && last.file == next.file) {
      last.names.insert(last.names.end(), next.names.begin(), next.names.end());
      return;
    }
  }
  statements.push_back(std::move(next));
}

}  // namespace

std::string range_of(const Span& span) {
  return fmt::format("{}:{}-{}:{}", span.line, span.column, span.end_line, span.end_column);
}

std::string symbols_answer(const Outline& outline, SymbolsShape shape) {
  return answer(outline.language->id, [&](JsonWriter& out) {
    out.member("lines", static_cast<std::int64_t>(outline.lines)).key("symbols");
    write_symbols(out, outline, shape);
    count_if_any(out, "left_out", outline.symbols_left_out);
    count_if_any(out, "syntax_errors", outline.problems.size() + outline.problems_left_out);
  });
}

std::string imports_answer(const Outline& outline, const FileOfImport& file_of) {
  std::vector<Statement> statements;
  for (const auto& import : outline.imports) {
    Statement statement{import.span.line, import.source, file_of(import), {}};
    if (auto name = called(import.name, import.alias); !name.empty()) {
      statement.names.push_back(std::move(name));
    }
    add(statements, std::move(statement));
  }
  return answer(outline.language->id, [&](JsonWriter& out) {
    out.key("imports");
    write_statements(out, statements);
  });
}

std::string exports_answer(const Outline& outline, const FileOfImport& file_of) {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> groups;
  std::vector<Statement> passed_on;
  for (const auto& item : outline.exports) {
    const auto name = called(item.name, item.alias);
    if (!item.source.empty()) {
      Import import;
      import.source = item.source;
      import.name = item.name;
      add(passed_on, {item.line, item.source, file_of(import), {name}});
      continue;
    }
    const auto kind = item.symbol == kNoSymbol ? std::string_view("other")
                                               : to_string(outline.symbols[item.symbol].kind);
    auto group = std::ranges::find(groups, kind, [](const auto& pair) { return pair.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {kind, {}});
    group->second.push_back(fmt::format("{} {}", item.line, name));
  }
  return answer(outline.language->id, [&](JsonWriter& out) {
    out.key("exports").begin_object();
    for (const auto& [kind, names] : groups) {
      out.key(kind).begin_array();
      for (const auto& name : names) out.value(name);
      out.end_array();
    }
    out.end_object();
    if (passed_on.empty()) return;
    out.key("passed_on");
    write_statements(out, passed_on);
  });
}

std::string diagnostics_answer(const Outline& outline) {
  return answer(outline.language->id, [&](JsonWriter& out) {
    out.key("problems").begin_array();
    for (const auto& problem : outline.problems) {
      const auto what = problem.missing.empty() ? std::string("cannot be read")
                                                : fmt::format("missing {}", problem.missing);
      out.begin_object().member("at", range_of(problem.span)).member("problem", what);
      out.member("line",
                 cut_text(trimmed(line_around(outline.text, problem.span.begin)), kLineBytes));
      out.end_object();
    }
    out.end_array();
    count_if_any(out, "left_out", outline.problems_left_out);
  });
}

std::string query_answer(const QueryAnswer& found, const Language& language) {
  std::size_t bytes = 0;
  std::string incomplete = found.incomplete;
  return answer(language.id, [&](JsonWriter& out) {
    out.key("matches").begin_array();
    for (std::size_t i = 0; i < found.captures.size() && bytes < kAnswerBytes;) {
      const auto match = found.captures[i].match;
      out.begin_array();
      for (; i < found.captures.size() && found.captures[i].match == match; ++i) {
        const auto& capture = found.captures[i];
        const auto text = cut_text(capture.text, bytes < kAnswerBytes ? kCaptureBytes : 0);
        bytes += text.size();
        out.begin_array().value(found.names[capture.name]).value(range_of(capture.span));
        out.value(text).end_array();
      }
      out.end_array();
    }
    out.end_array();
    if (bytes >= kAnswerBytes)
      incomplete = fmt::format("the texts have over {} bytes", kAnswerBytes);
    out.member_if("incomplete", incomplete);
  });
}

std::string ast_answer(std::string tree) { return state_tokens(std::move(tree)); }

std::string plain_symbols(std::string_view why) {
  return answer("", [&](JsonWriter& out) {
    out.key("symbols").begin_object().end_object().member("unsupported", why);
  });
}

std::string plain_structure(std::string_view file, std::string_view text, std::string_view why) {
  const auto lines = valid_utf8(text) ? fmt::format("{} lines, ", count_lines(text)) : "";
  return fmt::format("# {}\n\n{}{} bytes; {}\n", visible(file), lines, text.size(), why);
}

std::string unsupported_answer(std::string_view why) {
  return answer("", [&](JsonWriter& out) { out.member("unsupported", why); });
}

}  // namespace lode
