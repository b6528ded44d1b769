#include "transcript.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/json.h"

namespace lode::transcripts {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::string_view kIndent = "   ";
constexpr std::string_view kWorkspace = "workspace:";
constexpr std::string_view kBytes = "bytes ";
constexpr const char* kMemory = "memory";

struct Mark {
  std::string_view text;
  StepKind kind;
  bool subset = false;
  bool any_order = false;
};

// Longer marks first: the first that fits is taken.
constexpr std::array kMarks = {
    Mark{"->", StepKind::send},
    Mark{"<-*", StepKind::expect, false, true},
    Mark{"<~*", StepKind::expect, true, true},
    Mark{"<-", StepKind::expect},
    Mark{"<~", StepKind::expect, true},
    Mark{"<nothing>", StepKind::nothing},
    Mark{"<event>", StepKind::event},
    Mark{"<end>", StepKind::end},
    Mark{">>", StepKind::request},
    Mark{"<<", StepKind::response},
    Mark{"@initialize", StepKind::initialize},
    Mark{"@bytes", StepKind::bytes},
    Mark{"@eof", StepKind::end_input},
    Mark{"@hangup", StepKind::hang_up},
    Mark{"@leave", StepKind::leave},
    Mark{"@again", StepKind::again},
    Mark{"@write", StepKind::write},
    Mark{"@directory", StepKind::directory},
    Mark{"@link", StepKind::link},
    Mark{"@mode", StepKind::mode},
    Mark{"@remove", StepKind::remove},
};

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

const Mark* find_mark(std::string_view line) {
  for (const auto& mark : kMarks) {
    if (line.starts_with(mark.text)) return &mark;
  }
  return nullptr;
}

// "Name: value", as no line of JSON begins.
bool header_line(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  return text.substr(0, colon).find_first_of(" \"{}[],") == std::string_view::npos;
}

bool detail_line(StepKind kind, std::string_view text) {
  if (kind == StepKind::response) return true;
  if (kind == StepKind::request) return header_line(text);
  return text.starts_with("status ") || text.starts_with("id ") || text.starts_with("retry ");
}

std::set<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::set<std::string> out;
  for (std::string word; in >> word;) out.insert(word);
  return out;
}

class Parser {
 public:
  explicit Parser(Transcript& out) : out_(out) {}

  Status parse() {
    for (at_ = 0; at_ < out_.lines.size(); ++at_) {
      const std::string_view line = out_.lines[at_];
      if (trim(line).empty() || line.starts_with('#')) {
        step_ = nullptr;
      } else if (auto status = take(line); !status) {
        return status;
      }
    }
    return {};
  }

 private:
  Status fail(std::string_view why) const {
    return invalid(fmt::format("{}:{}: {}", out_.path, at_ + 1, why));
  }

  Status take(std::string_view line) {
    if (line.starts_with("== ")) {
      out_.cases.push_back({std::string(trim(line.substr(3))), at_, over_, {}});
      step_ = nullptr;
      return {};
    }
    if (line.starts_with(kWorkspace)) return take_workspace(line.substr(kWorkspace.size()));
    if (line.starts_with("over: ")) return take_over(words(line.substr(6)));
    if (line.starts_with("let ")) return take_macro(line.substr(4));
    if (line.starts_with(' ')) return take_more(line.substr(line.find_first_not_of(' ')));
    return take_step(line);
  }

  Status take_workspace(std::string_view flags) {
    if (!out_.cases.empty() || out_.workspace) return fail("one workspace, before the first case");
    out_.workspace.emplace().flags = trim(flags);
    over_.erase(kMemory);
    return {};
  }

  Status take_over(std::set<std::string> transports) {
    if (out_.workspace && transports.contains(kMemory)) {
      return fail("the real program is reached over stdio and http only");
    }
    (out_.cases.empty() ? over_ : out_.cases.back().over) = std::move(transports);
    return {};
  }

  Status take_macro(std::string_view line) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) return fail("let NAME = text");
    out_.macros[std::string(trim(line.substr(0, equals)))] = trim(line.substr(equals + 1));
    return {};
  }

  Status take_more(std::string_view line) {
    if (step_ == nullptr) return fail("an indented line belongs to no step");
    step_->end = at_ + 1;
    if (step_->kind == StepKind::write) return take_text(line);
    const auto text = trim(line);
    if (detail_line(step_->kind, text)) {
      step_->details.emplace_back(text);
    } else {
      if (step_->kind == StepKind::request && !body_) step_->text += '\n';
      body_ = true;
      step_->text += text;
    }
    return {};
  }

  // A line of a file that is written.
  Status take_text(std::string_view line) {
    if (line.starts_with(kBytes)) {
      const auto bytes = parse_json(line.substr(kBytes.size()));
      if (!bytes || !bytes->is_string()) return fail("bytes takes a JSON string");
      step_->body += std::string_view(bytes->get_string().data(), bytes->get_string().size());
      return {};
    }
    if (!line.starts_with('|')) return fail("a line of a file begins with | and a blank");
    line.remove_prefix(line.starts_with("| ") ? 2 : 1);
    step_->body.append(line).append("\n");
    return {};
  }

  Status take_step(std::string_view line) {
    const Mark* mark = find_mark(line);
    if (mark == nullptr) return fail("neither a step, a case nor prose");
    const bool files = changes_files(mark->kind);
    if (files && !out_.workspace) return fail("there is no workspace: before the first case");
    if (out_.cases.empty() && !files) return fail("a step before the first case");
    auto& steps = out_.cases.empty() ? out_.workspace->files : out_.cases.back().steps;
    steps.push_back({.kind = mark->kind,
                     .line = at_,
                     .end = at_ + 1,
                     .text = std::string(trim(line.substr(mark->text.size()))),
                     .subset = mark->subset,
                     .any_order = mark->any_order});
    step_ = &steps.back();
    body_ = false;
    return {};
  }

  Transcript& out_;
  std::set<std::string> over_ = {kMemory, "stdio", "http"};
  std::size_t at_ = 0;
  Step* step_ = nullptr;  // the one that an indented line continues
  bool body_ = false;     // its own text has continued already
};

}  // namespace

bool changes_files(StepKind kind) {
  return kind == StepKind::write || kind == StepKind::directory || kind == StepKind::link ||
         kind == StepKind::mode || kind == StepKind::remove;
}

Result<Transcript> read_transcript(const std::string& path) {
  std::ifstream in(path);
  if (!in) return not_found(path + ": cannot be read");
  Transcript out;
  out.path = path;
  for (std::string line; std::getline(in, line);) out.lines.push_back(line);
  if (auto status = Parser(out).parse(); !status) return std::move(status).error();
  return out;
}

Status rewrite(const Transcript& transcript, const std::vector<Replacement>& replacements) {
  std::ofstream out(transcript.path);
  std::size_t at = 0;
  const auto copy_until = [&](std::size_t end) {
    for (; at < end; ++at) out << transcript.lines[at] << '\n';
  };
  for (const auto& replacement : replacements) {
    copy_until(replacement.line);
    for (const auto& line : replacement.lines) out << line << '\n';
    at = replacement.end;
  }
  copy_until(transcript.lines.size());
  if (!out) return invalid(transcript.path + ": cannot be written");
  return {};
}

std::vector<std::string> wrapped(std::string_view mark, std::string_view json) {
  std::vector<std::string> lines;
  std::string line = std::string(mark) + " ";
  std::size_t good = 0;  // where the line may be broken
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    line += json[i];
    if (quoted && json[i] == '\\') line += json[++i];
    if (json[i] == '"' && json[i - 1] != '\\') quoted = !quoted;
    if (!quoted && json[i] == ',') good = line.size();
    if (line.size() > kColumns && good > 0) {
      lines.push_back(line.substr(0, good));
      line = std::string(kIndent) + line.substr(good);
      good = 0;
    }
  }
  lines.push_back(std::move(line));
  return lines;
}

}  // namespace lode::transcripts
