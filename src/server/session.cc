#include "server/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "server/call.h"
#include "server/render.h"

namespace lode {
namespace {

constexpr std::size_t kMaxWaiting = 64;      // questions to one client without an answer
constexpr std::size_t kMaxKeptStreams = 32;  // of one session, for resumption

// What the revision does not know, the client cannot be asked.
ClientAbilities known_to(Revision revision, ClientAbilities abilities) {
  if (revision < Revision::v2025_06_18) abilities.elicit_form = false;
  if (revision < Revision::v2025_11_25) abilities.elicit_url = abilities.sample_with_tools = false;
  return abilities;
}

StreamOptions stream_options(Revision revision, MemoryShare* memory) {
  StreamOptions options;
  options.primes = revision >= Revision::v2025_11_25;
  options.memory = memory;
  return options;
}

}  // namespace

Session::Session(std::string session_id, Revision negotiated, ClientAbilities can, Principal who,
                 MemoryShare* memory)
    : id(std::move(session_id)),
      revision(negotiated),
      abilities(known_to(negotiated, can)),
      owner(std::move(who)),
      memory_(memory),
      standing_(std::make_shared<Stream>(0, stream_options(negotiated, memory))),
      own_stream_(standing_) {}

bool Session::over(const Asked& asked) {
  const auto call = asked.call.lock();
  return !call || call->answered();
}

std::optional<Severity> Session::log_level() {
  Lock lock(mutex_);
  return log_level_;
}

void Session::log_level(Severity least) {
  Lock lock(mutex_);
  log_level_ = least;
}

// The params of a question as this client's revision knows them.
std::string Session::params_for(const Question& question) const {
  if (question.params.is_null()) return {};
  Json params = question.params;
  if (revision < Revision::v2025_11_25 && params.is_object()) params.get_object().erase("mode");
  return to_text(params);
}

void Session::ask(const std::shared_ptr<Call>& call, const NeedsInput& needs, Answered answered) {
  auto asked = std::make_shared<Asked>();
  asked->call = call;
  asked->answers.state = needs.state;
  asked->open = needs.questions.size();
  asked->answered = std::move(answered);
  std::vector<std::string> requests;
  bool full = false;
  {
    Lock lock(mutex_);
    std::erase_if(waiting_, [](const auto& w) { return over(*w.second.asked); });
    full = waiting_.size() + needs.questions.size() > kMaxWaiting;
    for (const auto& [key, question] : needs.questions) {
      if (full) break;
      const std::string request = fmt::format("\"lode-{}\"", next_request_++);
      waiting_.emplace(request, Waiting{asked, key});
      requests.push_back(request_text(request, method_of(question.kind), params_for(question)));
    }
  }
  if (full) {
    return asked->answered(
        wire_error({Code::unavailable, "too many open questions", {}}, revision));
  }
  if (requests.empty()) return asked->answered(std::move(asked->answers));
  for (auto& request : requests) call->send(std::move(request));
}

void Session::respond(const Message& response) {
  std::shared_ptr<Asked> asked;
  std::variant<Answers, WireError> outcome;
  {
    Lock lock(mutex_);
    auto found = waiting_.find(response.id);
    if (found == waiting_.end()) return;
    asked = found->second.asked;
    const std::string key = std::move(found->second.key);
    waiting_.erase(found);
    if (response.error) {
      const auto said = response.error["message"].string().value_or("no reason given");
      outcome = WireError{wire::kInternal, fmt::format("the client refused: {}", said), "", 200};
      std::erase_if(waiting_, [&](const auto& w) { return w.second.asked == asked; });
    } else {
      asked->answers.responses[key] = response.result.copy();
      if (--asked->open > 0) return;
      outcome = std::move(asked->answers);
    }
  }
  if (!over(*asked)) asked->answered(std::move(outcome));
}

std::shared_ptr<Stream> Session::open_stream() {
  Lock lock(mutex_);
  std::erase_if(streams_, [](const auto& s) { return s.second->spent(); });
  while (streams_.size() >= kMaxKeptStreams) streams_.erase(streams_.begin());
  const auto number = next_stream_++;
  auto stream = std::make_shared<Stream>(number, stream_options(revision, memory_));
  streams_.emplace(number, stream);
  return stream;
}

std::shared_ptr<Stream> Session::find_stream(std::uint64_t number) {
  if (number == 0) return standing_;
  Lock lock(mutex_);
  auto found = streams_.find(number);
  return found == streams_.end() ? nullptr : found->second;
}

void Session::touch(std::chrono::steady_clock::time_point now) {
  Lock lock(mutex_);
  used_ = std::max(used_, now);
}

std::chrono::steady_clock::time_point Session::used() {
  Lock lock(mutex_);
  return used_;
}

void Session::stop_asking() {
  std::map<std::string, Waiting, std::less<>> waiting;  // destroyed after the lock is gone
  Lock lock(mutex_);
  waiting.swap(waiting_);
}

void Session::close() {
  in_flight.cancel_all();
  stop_asking();
  std::map<std::uint64_t, std::shared_ptr<Stream>> streams;
  {
    Lock lock(mutex_);
    streams.swap(streams_);
  }
  for (auto& [number, stream] : streams) stream->end();
  own_stream_->end();
}

}  // namespace lode
