#include "server/event_endpoint.h"

#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <exception>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

#include "base/grants.h"
#include "base/hash.h"
#include "base/uri.h"
#include "base/utf8.h"
#include "protocol/wire_error.h"
#include "server/call.h"
#include "server/resource_body.h"

namespace lode {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view kJson = "application/json";
constexpr int kMostOutdated = 10;

// The addresses, each once; first: the first of them, if there is one, for a refusal.
Result<std::vector<std::string>> parse_addresses(std::string_view query, std::string& first) {
  auto parameters = parse_parameters(query);
  if (!parameters) return std::move(parameters).error();
  std::vector<std::string> out;
  for (auto& [name, value] : *parameters) {
    if (name != "uri") {
      return invalid(fmt::format(
          "no parameter \"{}\" here; there is uri, and each address must be percent-encoded",
          cut_text(visible(name), 80)));
    }
    if (first.empty()) first = value;
    if (value.empty() || !valid_utf8(value)) return invalid("a uri is empty, or no text");
    out.push_back(std::move(value));
  }
  if (out.empty()) return invalid("the parameter uri is missing");
  if (out.size() > EventEndpoint::kMostAddresses) {
    return invalid(fmt::format("one stream has at most {} addresses; open another",
                               EventEndpoint::kMostAddresses));
  }
  std::unordered_set<std::string_view> seen;
  std::erase_if(out, [&](const std::string& uri) { return !seen.insert(uri).second; });
  return out;
}

std::string named_uri(const HttpRequest& request) {
  std::string uri;
  static_cast<void>(parse_addresses(request.query, uri));
  return uri;
}

// Nothing: it cannot be read.
using MaybeVersion = std::optional<std::string>;

std::string event_text(std::string_view uri, const MaybeVersion& version, std::string_view error) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("uri", uri).key("version");
  version ? w.value(*version) : w.null();
  w.member_if("error", error).end_object();
  return out;
}

// What the provider calls its version, or else a name of the bytes.
MaybeVersion version_of(const Reading& reading) {
  if (const auto* verbatim = std::get_if<Verbatim>(&reading)) return content_hash(verbatim->json);
  const auto* cached = std::get_if<std::shared_ptr<const Cached>>(&reading);
  if (cached == nullptr) return std::nullopt;
  const auto& content = (*cached)->contents().items.front();
  return content.version.empty() ? content_hash(content.bytes) : content.version;
}

// Whether the same may be read in a moment.
bool passes_by(Code code) {
  return code == Code::unavailable || code == Code::timeout || code == Code::cancelled;
}

}  // namespace

class EventEndpoint::Stream : public std::enable_shared_from_this<EventEndpoint::Stream> {
 public:
  Stream(HttpContext context, const std::vector<std::string>& uris, Server& server,
         WorkerPool& pool)
      : who_(context.who), server_(server), pool_(pool), context_(std::move(context)) {
    for (const auto& uri : uris) spots_.push_back({uri});
  }

  const Principal& who() const { return who_; }

  void on_close(std::function<void()> gone) LODE_EXCLUDES(mutex_) {
    Lock lock(mutex_);
    context_.reply.on_close(std::move(gone));
  }
  // Answers instead of opening.
  void refuse(const Error& error) LODE_EXCLUDES(mutex_);
  // Opens, and begins to listen. May block.
  void begin() LODE_EXCLUDES(mutex_);
  void end() LODE_EXCLUDES(mutex_);
  // Reads what could not be read; all: everything, and tells what differs.
  void look_again(bool all) LODE_EXCLUDES(mutex_);

 private:
  struct Spot {
    std::string uri;                          // as the caller spelled it
    std::optional<Listeners::Id> listener{};  // nothing: not yet, or nobody can listen to it
    std::string error{};                      // why
    bool due = false;                         // it waits to be read
    bool changed = true;                      // it is told even if its version is the same
    MaybeVersion told{};
    int outdated = 0;  // readings in a row that were over when it changed again
  };

  bool open() LODE_EXCLUDES(mutex_);
  bool ended() const LODE_EXCLUDES(mutex_);
  void listen(std::size_t at) LODE_EXCLUDES(mutex_);
  void listened() LODE_EXCLUDES(mutex_);
  void note_change(std::size_t at) LODE_EXCLUDES(mutex_);
  void make_due(std::size_t at) LODE_REQUIRES(mutex_);
  void submit() LODE_REQUIRES(mutex_);
  void work() LODE_EXCLUDES(mutex_);
  void tell_next() LODE_EXCLUDES(mutex_);
  Result<MaybeVersion> read(std::string_view uri) const;
  void tell(std::size_t at, const Result<MaybeVersion>& read) LODE_EXCLUDES(mutex_);
  std::vector<Listeners::Id> take_listeners() LODE_REQUIRES(mutex_);
  void forget(const std::vector<Listeners::Id>& listeners) const;

  const Principal who_;
  Server& server_;
  WorkerPool& pool_;
  const steady_clock::time_point began_ = steady_clock::now();
  std::stop_source stop_;
  mutable Mutex mutex_;
  HttpContext context_ LODE_GUARDED_BY(mutex_);                 // until it opens
  std::shared_ptr<HttpOutlet> outlet_ LODE_GUARDED_BY(mutex_);  // from then on
  std::vector<Spot> spots_ LODE_GUARDED_BY(mutex_);  // their number and addresses are constant
  std::deque<std::size_t> waiting_ LODE_GUARDED_BY(mutex_);  // the spots that are due
  std::set<std::size_t> later_ LODE_GUARDED_BY(mutex_);      // those that could not be read
  bool listening_ LODE_GUARDED_BY(mutex_) = false;           // to all of them
  bool working_ LODE_GUARDED_BY(mutex_) = false;             // a worker has it, or will
  bool ended_ LODE_GUARDED_BY(mutex_) = false;
};

// ---- the life of a stream ----

void EventEndpoint::Stream::refuse(const Error& error) {
  {
    Lock lock(mutex_);
    context_.respond(resource_refusal(error, named_uri(context_.request)));
  }
  server_.tell_served({kPath, wire_error(error, kNewest).code, steady_clock::now() - began_});
}

bool EventEndpoint::Stream::open() {
  Lock lock(mutex_);
  if (ended_) return false;
  auto& common = context_.common;
  common.emplace_back("X-Content-Type-Options", "nosniff");
  outlet_ = std::make_shared<HttpOutlet>(std::move(context_.reply), std::move(common), true,
                                         &server_.memory(who_));
  outlet_->open();
  return true;
}

bool EventEndpoint::Stream::ended() const {
  Lock lock(mutex_);
  return ended_;
}

void EventEndpoint::Stream::begin() {
  if (!open()) return;
  server_.tell_served({kPath, 0, steady_clock::now() - began_});
  const auto count = [this] {
    Lock lock(mutex_);
    return spots_.size();
  }();
  for (std::size_t at = 0; at < count && !ended(); ++at) listen(at);
  listened();
}

// Each address has a listener of its own: of two that are the same one in two spellings, both
// are told.
void EventEndpoint::Stream::listen(std::size_t at) {
  auto& listeners = server_.listeners();
  const auto id = listeners.add(who_, {}, [weak = weak_from_this(), at](const Change&, auto) {
    if (const auto stream = weak.lock()) stream->note_change(at);
  });
  const std::string uri = [&] {
    Lock lock(mutex_);
    spots_[at].listener = id;
    return spots_[at].uri;
  }();
  const auto subscribed = listeners.subscribe(id, uri, 1);
  if (subscribed) return;
  listeners.remove(id);
  Lock lock(mutex_);
  spots_[at].listener.reset();
  spots_[at].error = subscribed.error().message;
}

// From now on changes are told; what comes first is the state of everything.
void EventEndpoint::Stream::listened() {
  std::vector<Listeners::Id> left;
  {
    Lock lock(mutex_);
    listening_ = true;
    if (ended_) left = take_listeners();
    for (std::size_t at = 0; at < spots_.size() && !ended_; ++at) make_due(at);
  }
  forget(left);
}

// While begin() listens, it is left to it to cease.
void EventEndpoint::Stream::end() {
  std::vector<Listeners::Id> left;
  std::shared_ptr<HttpOutlet> outlet;
  {
    Lock lock(mutex_);
    if (std::exchange(ended_, true)) return;
    waiting_.clear();
    later_.clear();
    outlet = outlet_;
    if (listening_) left = take_listeners();
  }
  stop_.request_stop();
  if (outlet) outlet->end();
  forget(left);
}

std::vector<Listeners::Id> EventEndpoint::Stream::take_listeners() {
  std::vector<Listeners::Id> out;
  for (auto& spot : spots_) {
    if (spot.listener) out.push_back(*spot.listener);
    spot.listener.reset();
  }
  return out;
}

void EventEndpoint::Stream::forget(const std::vector<Listeners::Id>& listeners) const {
  for (const auto id : listeners) server_.listeners().remove(id);
}

// ---- what waits ----

void EventEndpoint::Stream::note_change(std::size_t at) {
  Lock lock(mutex_);
  spots_[at].changed = true;
  if (listening_ && !ended_) make_due(at);
}

void EventEndpoint::Stream::make_due(std::size_t at) {
  if (!std::exchange(spots_[at].due, true)) waiting_.push_back(at);
  submit();
}

void EventEndpoint::Stream::look_again(bool all) {
  Lock lock(mutex_);
  if (!listening_ || ended_) return;
  for (const auto at : std::exchange(later_, {})) make_due(at);
  for (std::size_t at = 0; all && at < spots_.size(); ++at) {
    if (spots_[at].listener) make_due(at);
  }
  if (!waiting_.empty()) submit();
}

// A pool that is full is asked again at the next tick.
void EventEndpoint::Stream::submit() {
  if (working_) return;
  working_ = pool_.submit(who_, [stream = shared_from_this()] { stream->work(); });
}

// ---- on a worker ----

void EventEndpoint::Stream::work() {
  tell_next();
  Lock lock(mutex_);
  working_ = false;
  if (!waiting_.empty()) submit();
}

// The mark is taken away before the reading, so that a change in the midst of it sets it again.
void EventEndpoint::Stream::tell_next() {
  std::size_t at = 0;
  std::string uri;
  {
    Lock lock(mutex_);
    if (waiting_.empty()) return;
    at = waiting_.front();
    waiting_.pop_front();
    spots_[at].due = false;
    uri = spots_[at].uri;
  }
  tell(at, read(uri));
}

Result<MaybeVersion> EventEndpoint::Stream::read(std::string_view uri) const {
  NoProgress nobody;
  const ClientAbilities none;
  const Answers first;
  const auto deadline = steady_clock::now() + server_.options().request_time;
  const Exchange exchange{who_, deadline, stop_.get_token(), nobody, none, first};
  try {
    const auto reading = server_.engine().read(exchange, uri);
    if (reading) return version_of(*reading);
    if (passes_by(reading.error().code)) return reading.error();
  } catch (const std::exception& e) {
    server_.log().error("request threw", {{"method", kPath}, {"what", e.what()}});
  }
  return MaybeVersion();
}

// What changed meanwhile is read again first; unless it changes all the time.
void EventEndpoint::Stream::tell(std::size_t at, const Result<MaybeVersion>& read) {
  Lock lock(mutex_);
  Spot& spot = spots_[at];
  if (ended_) return;
  if (!read) {
    later_.insert(at);
    return;
  }
  if (spot.due && ++spot.outdated < kMostOutdated) return;
  spot.outdated = 0;
  const bool changed = std::exchange(spot.changed, spot.due);
  if (!changed && spot.told == *read) return;
  spot.told = *read;
  outlet_->send({event_text(spot.uri, *read, spot.error), "", {}});
}

// ---- all streams ----

HttpRoute EventEndpoint::route() {
  HttpRoute route;
  route.methods = "GET";
  route.handler = [this](HttpContext context) { handle(std::move(context)); };
  route.refuse = [](HttpContext context, int status, const std::string& why) {
    context.respond(status, kJson, resource_error_json(status, named_uri(context.request), why));
  };
  return route;
}

void EventEndpoint::handle(HttpContext context) {
  std::string first;
  const auto uris = parse_addresses(context.request.query, first);
  const bool offered = server_.engine().offer().resources;
  const auto stream = std::make_shared<Stream>(
      std::move(context), uris ? *uris : std::vector<std::string>(), server_, pool_);
  if (!offered) return stream->refuse(not_found("resources are not enabled on this server"));
  if (!uris) return stream->refuse(uris.error());
  if (!add(stream)) return stream->refuse(Call::busy_error());
  stream->on_close([this, weak = std::weak_ptr(stream)] {
    if (const auto gone = weak.lock()) end(gone);
  });
  if (pool_.submit(stream->who(), [stream] { stream->begin(); })) return;
  stream->refuse(Call::busy_error());
  end(stream);
}

bool EventEndpoint::add(const std::shared_ptr<Stream>& stream) {
  Lock lock(mutex_);
  return !closed_ && streams_.insert(stream).second;
}

void EventEndpoint::end(const std::shared_ptr<Stream>& stream) {
  {
    Lock lock(mutex_);
    streams_.erase(stream);
  }
  stream->end();
}

std::vector<std::shared_ptr<EventEndpoint::Stream>> EventEndpoint::all() const {
  Lock lock(mutex_);
  return {streams_.begin(), streams_.end()};
}

std::size_t EventEndpoint::streams() const {
  Lock lock(mutex_);
  return streams_.size();
}

bool EventEndpoint::may_read_otherwise() {
  const auto gate = server_.engine().admission();
  const bool same = policy_ == gate.policy() && gate.is_current(made_under_);
  policy_ = gate.policy();
  made_under_ = gate.empty_page();
  return !same;
}

void EventEndpoint::tick() {
  const bool otherwise = may_read_otherwise();
  for (const auto& stream : all()) {
    revoked(stream->who()) ? end(stream) : stream->look_again(otherwise);
  }
}

void EventEndpoint::close() {
  {
    Lock lock(mutex_);
    closed_ = true;
  }
  for (const auto& stream : all()) end(stream);
}

}  // namespace lode
