#include "syntax/isolated_syntax.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "syntax/outline_record.h"
#include "syntax/parser.h"
#include "syntax/task.h"

namespace lode {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kFewest = 2;
constexpr std::size_t kMost = 8;
constexpr int kGuestNice = 5;

std::size_t workers_by_default() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), kFewest, kMost);
}

IsolatedSyntax::Options complete(IsolatedSyntax::Options options) {
  if (options.workers == 0) options.workers = workers_by_default();
  return options;
}

// Another version of a grammar may survive what this one does not.
std::string key_of_text(const SyntaxTask& task) {
  return fmt::format("{} {} {}", content_hash(task.text), task.language->id, outline_version());
}

// A query may be to blame as well as the text: what a client asks must not make a text
// harmful for all.
std::string key_of(const SyntaxTask& task, const std::string& text) {
  if (task.kind != SyntaxTask::Kind::query) return text;
  return fmt::format("{} {}", text, content_hash(task.detail));
}

Error not_parsed(const std::string& what) {
  return {Code::unsupported, fmt::format("this text is not parsed: it {}", what), {}};
}

Error stopping() { return {Code::cancelled, "the server is stopping", {}}; }

}  // namespace

IsolatedSyntax::IsolatedSyntax(Log& log) : IsolatedSyntax(log, Options()) {}

IsolatedSyntax::IsolatedSyntax(Log& log, Options options)
    : log_(log), options_(complete(std::move(options))) {}

IsolatedSyntax::~IsolatedSyntax() { stop(); }

void IsolatedSyntax::remember(Harmful harmful, Learn learn) {
  const Lock lock(mutex_);
  harmful_.merge(std::move(harmful));
  learn_ = std::move(learn);
}

void IsolatedSyntax::stop() {
  Workers ended;
  std::jthread janitor;
  {
    const Lock lock(mutex_);
    stopped_ = true;
    ended.splice(ended.end(), idle_);
    for (const auto& worker : busy_) worker.process.interrupt();
    janitor = std::exchange(janitor_, {});
    janitor.request_stop();
    freed_.notify_all();
    started_.notify_all();
  }
}

std::size_t IsolatedSyntax::workers() const {
  const Lock lock(mutex_);
  return idle_.size() + busy_.size();
}

// ---- tasks ----

Result<std::string> IsolatedSyntax::run(const SyntaxTask& task) const {
  if (auto fits = check_length(task.text, options_.limits); !fits) return std::move(fits).error();
  if (task.detail.size() > options_.limits.query_bytes) {
    return invalid(fmt::format("the query has more than {} bytes", options_.limits.query_bytes));
  }
  const auto text = key_of_text(task);
  const auto key = key_of(task, text);
  if (auto problem = find_problem(text, key)) return not_parsed(*problem);
  // Workers that were killed while they were idle are known to be dead only when they are
  // asked: there may be no other.
  for (std::size_t i = 0; i <= options_.workers; ++i) {
    auto worker = take(lane_of_thread());
    if (!worker) return std::move(worker).error();
    // While this waited, another may have found out.
    if (auto problem = find_problem(text, key)) {
      give_back(*worker, true);
      return not_parsed(*problem);
    }
    auto reply = (*worker)->process.ask(task);
    auto* answer = std::get_if<Result<std::string>>(&reply);
    give_back(*worker, answer != nullptr);
    if (answer != nullptr && !*answer && answer->error().code == Code::timeout) {
      return blame(key, task, fmt::format("takes more than {} ms", options_.limits.time.count()));
    }
    if (answer != nullptr) return std::move(*answer);
    const auto& death = std::get<WorkerProcess::Death>(reply);
    if (death.cause == WorkerProcess::Death::Cause::text) return blame(key, task, death.what);
    if (death.cause == WorkerProcess::Death::Cause::late) {
      return Error{Code::timeout, "the parser did not answer in time", {}};
    }
  }
  return Error{Code::unavailable, "the parser was killed; try again", {}};
}

std::optional<std::string> IsolatedSyntax::find_problem(const std::string& text,
                                                        const std::string& key) const {
  const Lock lock(mutex_);
  if (harmful_.empty()) return std::nullopt;
  for (const auto* known : {&text, &key}) {
    if (const auto found = harmful_.find(*known); found != harmful_.end()) return found->second;
  }
  return std::nullopt;
}

Error IsolatedSyntax::blame(const std::string& key, const SyntaxTask& task,
                            const std::string& what) const {
  log_.warning("a text is not parsed", {{"language", task.language->id},
                                        {"bytes", std::to_string(task.text.size())},
                                        {"problem", "it " + what}});
  Learn learn;
  {
    const Lock lock(mutex_);
    // Any may go: it costs one more worker.
    if (harmful_.size() >= options_.remembered) harmful_.erase(harmful_.begin());
    harmful_.emplace(key, what);
    learn = learn_;
  }
  if (learn) learn(key, what);
  return not_parsed(what);
}

// ---- workers ----

// On Linux a priority is of the calling thread.
IsolatedSyntax::Lane IsolatedSyntax::lane_of_thread() {
  return {::getpriority(PRIO_PROCESS, 0), GuestTasks::current()};
}

std::size_t IsolatedSyntax::most(const Lane& lane) const {
  return lane.guest ? std::max<std::size_t>(1, options_.workers / 2) : options_.workers;
}

std::size_t IsolatedSyntax::count(const Lane& lane) const {
  const auto same = [&lane](const Worker& worker) { return worker.lane == lane; };
  const auto starting = starting_.find(lane);
  return static_cast<std::size_t>(std::ranges::count_if(idle_, same) +
                                  std::ranges::count_if(busy_, same)) +
         (starting == starting_.end() ? 0 : starting->second);
}

Result<IsolatedSyntax::Workers::iterator> IsolatedSyntax::take(const Lane& lane) const {
  {
    const Lock lock(mutex_);
    while (true) {
      if (stopped_) return stopping();
      // The one that worked last has the language's query, most likely, and warm caches.
      for (auto worker = idle_.end(); worker != idle_.begin();) {
        if ((--worker)->lane != lane) continue;
        busy_.splice(busy_.end(), idle_, worker);
        return worker;
      }
      if (count(lane) < most(lane)) break;
      freed_.wait(mutex_);
    }
    ++starting_[lane];
  }
  return start(lane);
}

Result<IsolatedSyntax::Workers::iterator> IsolatedSyntax::start(const Lane& lane) const {
  auto process = WorkerProcess::start(options_.program, options_.limits);
  if (process && lane.guest) {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(process->pid()), lane.priority + kGuestNice);
  }
  const Lock lock(mutex_);
  --starting_[lane];
  freed_.notify_all();
  if (!process) return std::move(process).error();
  if (stopped_) return stopping();
  if (!janitor_.joinable()) {
    janitor_ = std::jthread([this](const std::stop_token& stop) { end_idle_workers(stop); });
  }
  busy_.push_back({std::move(*process), lane, {}});
  started_.notify_all();
  return std::prev(busy_.end());
}

void IsolatedSyntax::give_back(Workers::iterator worker, bool alive) const {
  Workers ended;
  const Lock lock(mutex_);
  worker->idle_since = steady_clock::now();
  auto& to = alive && !stopped_ ? idle_ : ended;
  to.splice(to.end(), busy_, worker);
  freed_.notify_all();
}

void IsolatedSyntax::end_idle_workers(const std::stop_token& stop) const {
  while (!stop.stop_requested()) wait_for_expired(stop);
}

// Looks once in a while, so that nobody who gives a worker back need wake it.
IsolatedSyntax::Workers IsolatedSyntax::wait_for_expired(const std::stop_token& stop) const {
  Workers expired;
  const Lock lock(mutex_);
  while (idle_.empty() && busy_.empty() && !stop.stop_requested()) started_.wait(mutex_);
  const auto look = steady_clock::now() + options_.idle;
  while (!stop.stop_requested() && started_.wait_until(mutex_, look)) {
  }
  const auto since = steady_clock::now() - options_.idle;
  while (!idle_.empty() && idle_.front().idle_since <= since) {
    expired.splice(expired.end(), idle_, idle_.begin());
  }
  return expired;
}

}  // namespace lode
