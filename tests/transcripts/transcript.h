// Transcript files: prose, what a client says, and what the server answers.
//
// A file holds cases; the README beside this file describes the notation. The
// parser keeps the file's lines, so that `--update` can replace some of them
// and leave the rest as its author wrote it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode::transcripts {

// What a step does. The line that begins it is beside it.
enum class StepKind {
  send,        // -> text
  expect,      // <- json, <~ json; <-* and <~* in any order among neighbours
  nothing,     // <nothing>
  event,       // <event>: a server-sent event without data
  end,         // <end>: the HTTP response is complete
  request,     // >> METHOD path
  response,    // << status
  initialize,  // @initialize revision [capabilities]
  bytes,       // @bytes "…": as they are, without a newline
  end_input,   // @eof: no more input
  hang_up,     // @hangup: closes the connection of the last >>
  leave,       // @leave: goes away without ending the sessions
  again,       // @again: asks what follows until the answer is as expected
  write,       // @write path
  directory,   // @directory path
  link,        // @link path -> target
  mode,        // @mode 600 path
  remove,      // @remove path
};

// Whether it changes files of the workspace.
bool changes_files(StepKind kind);

struct Step {
  StepKind kind = StepKind::send;
  std::size_t line = 0;                // of the step's first line, from 0
  std::size_t end = 0;                 // one past its last line
  std::string text;                    // after the mark, continuations joined
  std::vector<std::string> details{};  // "status 404", "Vary: Origin", …
  std::string body{};                  // what @write writes
  bool subset = false;                 // <~: what is not mentioned may be anything
  bool any_order = false;              // *
};

struct Case {
  std::string name;
  std::size_t line = 0;
  std::set<std::string> over;  // transports
  std::vector<Step> steps;
};

// What stands before the first case of a transcript that is replayed against the
// real program.
struct Setting {
  std::string flags;        // for `lode serve`
  std::vector<Step> files;  // make the workspace, in order
};

struct Transcript {
  std::string path;
  std::vector<std::string> lines;
  std::map<std::string, std::string, std::less<>> macros;  // let NAME = text
  std::optional<Setting> workspace;                        // nothing: against the fixture
  std::vector<Case> cases;
};

// Error: what cannot be read, with its line.
Result<Transcript> read_transcript(const std::string& path);

// Lines of a file to be replaced by others.
struct Replacement {
  std::size_t line = 0;
  std::size_t end = 0;
  std::vector<std::string> lines;
};
// Writes the file again with the replacements, given by rising line.
Status rewrite(const Transcript& transcript, const std::vector<Replacement>& replacements);

// One mark and a JSON text as lines of at most some 100 columns, broken after
// commas only.
std::vector<std::string> wrapped(std::string_view mark, std::string_view json);

}  // namespace lode::transcripts
