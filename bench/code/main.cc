// code_bench: the index of symbols, and the least that it could cost.
//
//   code_bench bare FOLDER           tree-sitter alone, over the same files
//   code_bench index FOLDER STATE    the index; again with the same STATE: what it left
//
// Each prints one JSON object. `bare` reads every file, parses it and runs the query of
// its language's outline, with one parser and one cursor a thread, and counts the matches;
// the queries are compiled before. `index` begins as the program does, without its rest.
// `seconds` are of the clock, from before the first file is opened (before what is kept is
// loaded) until all is done; `cpu_seconds` are of all threads and worker processes. `index_bytes`
// is what the search index says that it takes, `heap_bytes` all memory that was asked for meanwhile
// and not given back, and the file that the index keeps mapped.
#include <malloc.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log.h"
#include "providers/code/outline_store.h"
#include "providers/code/outlines.h"
#include "providers/code/symbol_index.h"
#include "store/migrations.h"
#include "store/sqlite.h"
#include "syntax/isolated_syntax.h"
#include "syntax/language.h"
#include "syntax/outline_query.h"
#include "syntax/worker.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

using Clock = std::chrono::steady_clock;

struct Deleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  void operator()(TSQueryCursor* cursor) const { ts_query_cursor_delete(cursor); }
};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// That have ended.
double cpu_seconds_of_workers() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::size_t heap_bytes() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// A benchmark of what failed measures nothing.
template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "code_bench: %s\n", result.error().message.c_str());
  std::exit(1);
}

// ---- tree-sitter alone ----

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string read_file(const std::string& path) {
  std::string text(std::filesystem::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(text.data(), std::ssize(text));
  return text;
}

class Bare {
 public:
  explicit Bare(const std::string& folder) : files_(files_below(folder)) {
    for (const auto& language : languages()) {
      queries_.push_back(language.data
                             ? std::nullopt
                             : std::optional<OutlineQuery>(must(OutlineQuery::make(language))));
    }
  }

  void run() {
    const auto begin = Clock::now();
    const double cpu = cpu_seconds();
    {
      std::vector<std::jthread> threads;
      for (auto n = std::max(1U, std::thread::hardware_concurrency()); n > 0; --n) {
        threads.emplace_back([this] { work(); });
      }
    }
    std::printf(
        "{\"files\": %zu, \"bytes\": %zu, \"matches\": %zu, \"seconds\": %.4f, "
        "\"cpu_seconds\": %.4f}\n",
        parsed_.load(), bytes_.load(), matches_.load(), seconds_since(begin), cpu_seconds() - cpu);
  }

 private:
  void work() {
    const std::unique_ptr<TSParser, Deleter> parser(ts_parser_new());
    const std::unique_ptr<TSQueryCursor, Deleter> cursor(ts_query_cursor_new());
    for (auto i = next_++; i < files_.size(); i = next_++) {
      const auto text = read_file(files_[i]);
      const auto* language = language_of(files_[i], text);
      if (language == nullptr || language->data) continue;
      parse(*language, text, parser.get(), cursor.get());
    }
  }

  void parse(const Language& language, const std::string& text, TSParser* parser,
             TSQueryCursor* cursor) {
    const auto& query = queries_[static_cast<std::size_t>(&language - languages().data())];
    ts_parser_set_language(parser, language.grammar());
    const std::unique_ptr<TSTree, Deleter> tree(ts_parser_parse_string(
        parser, nullptr, text.data(), static_cast<std::uint32_t>(text.size())));
    ts_query_cursor_exec(cursor, query->query.get(), ts_tree_root_node(tree.get()));
    TSQueryMatch match;
    std::size_t matches = 0;
    while (ts_query_cursor_next_match(cursor, &match)) ++matches;
    ++parsed_;
    bytes_ += text.size();
    matches_ += matches;
  }

  const std::vector<std::string> files_;
  std::vector<std::optional<OutlineQuery>> queries_;  // by the language's place in languages()
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> parsed_ = 0;
  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<std::size_t> matches_ = 0;
};

// ---- the index ----

void run_index(const std::string& folder, const std::string& state) {
  Log log = Log::to_stderr(LogLevel::warning);
  const auto workspace = must(Workspace::open({folder}, SecretRules()));
  SqliteOptions options;
  options.path = state + "/outlines.db";
  const auto database = must(open_sqlite(options));
  if (!migrate(*database, outline_migrations())) std::exit(1);
  OutlineStore store(*database);
  IsolatedSyntax syntax(log);
  Outlines outlines(syntax);
  outlines.keep_in(store);

  const auto heap = heap_bytes();
  const auto begin = Clock::now();
  const double cpu = cpu_seconds();
  Index index;
  SymbolIndex symbols({*workspace, outlines, index, log});
  symbols.start(state);
  symbols.look_through();
  const auto progress = symbols.wait(begin + std::chrono::minutes(10));
  const double took = seconds_since(begin);
  double cost = cpu_seconds() - cpu;
  symbols.stop();
  outlines.flush();
  syntax.stop();
  cost += cpu_seconds_of_workers();
  std::printf(
      "{\"files\": %zu, \"symbols\": %zu, \"seconds\": %.4f, \"cpu_seconds\": %.4f, "
      "\"index_bytes\": %zu, \"heap_bytes\": %zu}\n",
      progress.files, progress.symbols, took, cost, index.stats().bytes,
      heap_bytes() - heap + index.stats().mapped);
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "bare") {
    Bare(arguments[1]).run();
  } else if (arguments.size() == 3 && arguments[0] == "index") {
    run_index(arguments[1], arguments[2]);
  } else {
    std::fputs("usage: code_bench bare FOLDER | index FOLDER STATE\n", stderr);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) {
  const std::vector<std::string> arguments{argv + 1, argv + argc};
  if (arguments == std::vector<std::string>{lode::kSyntaxWorkerWord})
    return lode::run_syntax_worker();
  return lode::run(arguments);
}
