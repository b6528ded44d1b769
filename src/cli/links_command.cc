#include "cli/links_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/links_survey.h"
#include "cli/transfer_commands.h"
#include "links/line_diff.h"
#include "providers/backlog/manage_files.h"
#include "store/document.h"
#include "store/durable_file.h"
#include "workspace/write_rule.h"

namespace lode {
namespace {

void print_line(const std::string& text) { std::printf("%s\n", visible_lines(text).c_str()); }

void write_left(JsonWriter& w, std::string_view name, const std::vector<LeftOut>& left) {
  w.key(name).begin_array();
  for (const auto& each : left) {
    w.begin_object().member("file", visible(each.file)).member("why", each.why).end_object();
  }
  w.end_array();
}

void tell_left(const std::vector<LeftOut>& left) {
  for (const auto& each : left) {
    std::fprintf(stderr, "lode: %s: left alone: %s\n", visible(each.file).c_str(),
                 visible(each.why).c_str());
  }
}

std::string line_of(const LinksFile& file, const LinksFile::Problem& problem) {
  auto line = fmt::format("{}:{}: {}: {}: {}", file.shown, problem.link.line,
                          to_string(problem.finding.problem), problem.link.in(file.text),
                          problem.finding.why);
  if (!problem.finding.right.empty()) line += fmt::format("; write {}", problem.finding.right);
  return visible(line);
}

std::string summary_of(std::size_t problems, std::size_t left_out) {
  if (problems == 0 && left_out == 0) return "all is well";
  auto out = problems == 0 ? std::string("no problems") : fmt::format("{} problems", problems);
  if (left_out > 0) out += fmt::format("; {} left out", left_out);
  return out;
}

void write_problem(JsonWriter& w, const LinksFile& file, const LinksFile::Problem& problem) {
  w.begin_object().member("file", visible(file.shown));
  w.member("line", static_cast<std::int64_t>(problem.link.line));
  w.member("problem", to_string(problem.finding.problem));
  w.member("link", problem.link.in(file.text)).member("why", problem.finding.why);
  w.member_if("right", problem.finding.right);
  if (problem.finding.certain) w.member("convertible", true);
  w.end_object();
}

// ---- converting ----

std::vector<LineEdit> edits_of(const LinksFile& file) {
  std::vector<LineEdit> edits;
  for (const auto& problem : file.problems) {
    if (problem.finding.certain) {
      edits.push_back({problem.link.begin, problem.link.end, problem.finding.right});
    }
  }
  return edits;
}

Error was_changed() { return {Code::conflict, "it was changed meanwhile; try again", {}}; }

// A file of the backlog is written by who holds it, as all others write it: a comment that came
// since the file was read is seen here, and one that comes now waits.
Status write_in_backlog(const Command& command, const LinksFile& file, const std::string& text) {
  auto files = TaskFiles::open(command.instance.task_files());
  if (!files) return std::move(files).error();
  auto now = files->read(*file.in_backlog, DocumentLimits().bytes);
  if (!now) return std::move(now).error();
  if (now->text != file.text) return was_changed();
  return files->write({{*file.in_backlog, std::move(*now), text}});
}

// Only if the file is still what was read.
Status write_file(const Command& command, const LinksFile& file, const std::string& text) {
  if (file.in_backlog) return write_in_backlog(command, file, text);
  if (auto may = check_write(file.root->path(), file.relative); !may) return may;
  auto directory = file.root->open_without_links(std::string(parent_path(file.relative)));
  if (!directory) return not_found("its directory has gone");
  auto written = replace_durably(directory->descriptor.get(), std::string(last_name(file.relative)),
                                 text, file.info);
  return !written && written.error().code == Code::conflict ? was_changed() : written;
}

// A file whose frontmatter nobody can read is not touched, nor made such.
Status convert(const Command& command, const LinksFile& file, const std::vector<LineEdit>& edits,
               bool apply) {
  if (auto before = Document::parse(file.text, DocumentForm::markdown); !before) {
    return std::move(before).error().in("malformed");
  }
  const auto text = with_edits(file.text, edits);
  if (auto after = Document::parse(text, DocumentForm::markdown); !after) {
    return std::move(after).error().in("it would be malformed");
  }
  return apply ? write_file(command, file, text) : Status();
}

void write_converted(JsonWriter& w, const LinksFile& file, const std::vector<LineEdit>& edits,
                     const std::string& diff) {
  w.begin_object().member("file", visible(file.shown)).key("links").begin_array();
  for (const auto& problem : file.problems) {
    if (!problem.finding.certain) continue;
    w.begin_object().member("line", static_cast<std::int64_t>(problem.link.line));
    w.member("from", problem.link.in(file.text)).member("to", problem.finding.right).end_object();
  }
  w.end_array().member("count", static_cast<std::int64_t>(edits.size())).member("diff", diff);
  w.end_object();
}

}  // namespace

int run_links_check(const Command& command, const LinksWords& words) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  LinksSurvey survey(command);
  if (auto found = survey.find_files(words.paths); !found) {
    return report_usage(found.error(), command.json);
  }
  std::size_t files = 0;
  std::size_t links = 0;
  std::size_t problems = 0;
  std::string out;
  JsonWriter w(out);
  w.begin_object().key("problems").begin_array();
  survey.each([&](const LinksFile& file) {
    ++files;
    links += file.links;
    problems += file.problems.size();
    for (const auto& problem : file.problems) {
      if (command.json) write_problem(w, file, problem);
      if (!command.json) std::printf("%s\n", line_of(file, problem).c_str());
    }
  });
  w.end_array();
  if (command.json) {
    write_left(w, "left_out", survey.left_out());
    w.member("files", static_cast<std::int64_t>(files));
    w.member("links", static_cast<std::int64_t>(links)).end_object();
    std::printf("%s\n", out.c_str());
  } else {
    tell_left(survey.left_out());
    print_line(fmt::format("{} links in {} files: {}", links, files,
                           summary_of(problems, survey.left_out().size())));
  }
  if (problems > 0) return kFailed;
  return survey.left_out().empty() ? 0 : kPartly;
}

int run_links_convert(const Command& command, const LinksWords& words) {
  if (!command.config.resources_enabled) return refuse_off(command.json);
  LinksSurvey survey(command);
  if (auto found = survey.find_files(words.paths); !found) {
    return report_usage(found.error(), command.json);
  }
  std::size_t files = 0;
  std::size_t links = 0;
  std::vector<LeftOut> left;
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("applied", words.apply).key("files").begin_array();
  survey.each([&](const LinksFile& file) {
    const auto edits = edits_of(file);
    if (edits.empty()) return;
    if (auto done = convert(command, file, edits, words.apply); !done) {
      left.push_back({file.shown, done.error().message});
      return;
    }
    ++files;
    links += edits.size();
    const auto diff = line_diff(file.shown, file.text, edits);
    if (command.json) return write_converted(w, file, edits, diff);
    if (!words.apply)
      std::fputs(::isatty(STDOUT_FILENO) ? visible_lines(diff).c_str() : diff.c_str(), stdout);
    if (words.apply) print_line(fmt::format("{}: {} links", file.shown, edits.size()));
  });
  w.end_array();
  if (command.json) {
    write_left(w, "left_alone", left);
    w.member("count", static_cast<std::int64_t>(links)).end_object();
    std::printf("%s\n", out.c_str());
  } else {
    tell_left(left);
    const auto* const what = words.apply ? "converted" : "can be converted; --apply does it";
    std::fprintf(stderr, "%zu links in %zu files: %s\n", links, files,
                 links == 0 ? "there is nothing to convert" : what);
  }
  return left.empty() ? 0 : kPartly;
}

}  // namespace lode
