#include "server/server.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "base/grants.h"
#include "protocol/mcp.h"
#include "server/header_params.h"
#include "server/listening.h"
#include "server/methods.h"

namespace lode {
namespace {

using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr std::chrono::minutes kStateLifetime{30};
constexpr std::chrono::hours kCursorLifetime{24};

std::string info_of(const ServerOptions& options) {
  std::string out;
  JsonWriter(out)
      .begin_object()
      .member("name", options.name)
      .member_if("title", options.title)
      .member("version", options.version)
      .end_object();
  return out;
}

bool able(const ClientAbilities& client, Question::Kind kind) {
  switch (kind) {
    case Question::Kind::elicit_form: return client.elicit_form;
    case Question::Kind::elicit_url: return client.elicit_url;
    case Question::Kind::sample: return client.sample;
    case Question::Kind::list_roots: return client.list_roots;
  }
  return false;
}

std::string binding(const Call& call, const Method& method) {
  std::string request(call.params()[method.subject].string().value_or(""));
  request.append("\n").append(call.params()["arguments"].text());
  return state_binding(call.who(), method.name, request);
}

// Whether a modern client sends the request again, with what it was asked for.
bool brings_answers(const Call& call) {
  return modern(call.revision()) &&
         (call.params()["inputResponses"] || call.params()["requestState"]);
}

}  // namespace

Server::Server(const Engine& engine, Events& events, WorkerPool& pool, MemoryBudget& memory,
               Log& log, ServerOptions options, Observer observer)
    : engine_(engine),
      pool_(pool),
      memory_(memory),
      log_(log),
      options_(std::move(options)),
      observer_(std::move(observer)),
      renderer_(info_of(options_)),
      seal_(kStateLifetime, options_.keys),
      cursors_(kCursorLifetime, options_.keys),
      tokens_(observer_.tokens, pool),
      listeners_(events, engine) {}

std::string Server::capabilities(Revision revision) const {
  const Offer offer = engine_.offer();
  std::string out;
  JsonWriter w(out);
  w.begin_object().raw_member("logging", "{}");
  if (offer.completions && revision >= Revision::v2025_03_26) w.raw_member("completions", "{}");
  if (offer.prompts) w.raw_member("prompts", R"({"listChanged":true})");
  if (offer.resources) w.raw_member("resources", R"({"subscribe":true,"listChanged":true})");
  if (offer.tools) w.raw_member("tools", R"({"listChanged":true})");
  if (offer.skills && modern(revision)) {
    w.raw_member("extensions", R"({"io.modelcontextprotocol/skills":{"directoryRead":true}})");
  }
  w.end_object();
  return out;
}

void Server::dispatch(const std::shared_ptr<Call>& call) {
  const Method* method = call->method != nullptr
                             ? call->method
                             : find_method(call->message().method, call->revision());
  if (method != nullptr && method->needs != nullptr && !(engine_.offer().*method->needs)) {
    method = nullptr;
  }
  track(call, method == nullptr ? "unknown" : method->name);
  if (method == nullptr) {
    return call->fail(method_not_found(call->message().method, call->revision()));
  }
  if (method->run == nullptr) return submit_listen(call);
  if (answer_warm(*call, *method)) return;
  if (!method->blocks) return run(call, *method);
  submit(call, *method);
}

// What is in the cache is answered where the request arrived.
bool Server::answer_warm(Call& call, const Method& method) {
  if (method.warm == nullptr || call.rounds > 0 || brings_answers(call)) return false;
  auto answer = method.warm(*this, call);
  if (!answer) return false;
  call.result(std::move(*answer));
  tell_tokens(call, method);
  return true;
}

void Server::tell_tokens(const Call& call, const Method& method) {
  if (!observer_.tokens || call.error_code() != 0) return;
  if (call.contents) return tokens_.served(method.name, call.contents);
  if (!call.count_tokens) return;
  auto told = call.count_tokens();
  told.method = method.name;
  observer_.tokens(told);
}

void Server::submit(const std::shared_ptr<Call>& call, const Method& method) {
  const bool taken = pool_.submit(call->who(), [this, call, &method] {
    if (call->answered()) return;
    // Before the work: what is done must be heard of.
    call->memory->fits() ? run(call, method) : call->busy();
  });
  if (!taken) call->busy();
}

void Server::track(const std::shared_ptr<Call>& call, std::string_view method) {
  call->on_answer = [this, method, before = std::move(call->on_answer)](Call& answered) {
    if (before) before(answered);
    stop_listening(&answered);
    {
      Lock lock(mutex_);
      active_.erase(&answered);
    }
    if (observer_.served) {
      observer_.served({method, answered.error_code(), steady_clock::now() - answered.began});
    }
  };
  call->deadline = call->began + options_.request_time;
  call->memory = &memory_.share(call->who());
  Lock lock(mutex_);
  active_.emplace(call.get(), call);
}

void Server::run(const std::shared_ptr<Call>& call, const Method& method) {
  try {
    if (auto error = take_answers(*call, method)) return call->fail(*error);
    Handled handled = method.run(*this, *call);
    if (auto* result = std::get_if<Payload>(&handled)) {
      // The tokens are counted when the answer may be written and gone: until then
      // what it shares is held here too.
      MemoryCharge held(*call->memory, 0);
      if (result->shared) held.borrow({result->shared, &result->shared->loan});
      call->working = std::move(held);
      call->result(std::move(*result));
      tell_tokens(*call, method);
      return;
    }
    if (auto* error = std::get_if<WireError>(&handled)) return call->fail(*error);
    needs_input(call, method, std::get<NeedsInput>(handled));
  } catch (const std::exception& e) {
    log_.error("request threw", {{"method", method.name}, {"what", e.what()}});
    call->fail({wire::kInternal, "the server failed on this request", "", 200});
  }
}

// ---- input from the client ----

std::optional<WireError> Server::take_answers(Call& call, const Method& method) const {
  if (method.subject.empty() || !brings_answers(call)) return std::nullopt;
  const JsonView responses = call.params()["inputResponses"];
  const JsonView state = call.params()["requestState"];
  if (responses && !responses.is_object()) return invalid_params("\"inputResponses\" is no object");
  if (state) {
    auto opened =
        seal_.open(state.string().value_or(""), binding(call, method), system_clock::now());
    if (!opened)
      return invalid_params("\"requestState\" is altered, expired or of another request");
    call.answers.state = std::move(*opened);
  }
  if (responses) call.answers.responses = responses.copy().as_object();
  call.rounds = 1;
  return std::nullopt;
}

void Server::needs_input(const std::shared_ptr<Call>& call, const Method& method,
                         const NeedsInput& needs) {
  for (const auto& [key, question] : needs.questions) {
    if (!able(call->abilities, question.kind)) {
      return call->fail(
          missing_capability(std::string(capability_of(question.kind)), call->revision()));
    }
  }
  if (!modern(call->revision())) return ask_legacy(call, method, needs);
  if (needs.questions.empty() && needs.state.empty()) {
    return call->fail({wire::kInternal, "a provider asked for nothing", "", 200});
  }
  const auto sealed = needs.state.empty()
                          ? ""
                          : seal_.seal(needs.state, binding(*call, method), system_clock::now());
  call->result(renderer_.input_required(needs, sealed));
}

// A legacy client is asked in the middle of its request; then the same request
// runs again with the answers, as a modern client would send it.
void Server::ask_legacy(const std::shared_ptr<Call>& call, const Method& method,
                        const NeedsInput& needs) {
  if (call->session && !call->session->ready) {
    return call->fail(
        {wire::kInternal, "the client has not said that it is ready to be asked", "", 200});
  }
  if (++call->rounds > options_.input_rounds || !call->session) {
    return call->fail({wire::kInternal, "the request asks for input without an end", "", 200});
  }
  {
    Lock lock(mutex_);
    call->deadline = steady_clock::now() + options_.input_time;
  }
  call->session->ask(call, needs, [this, call, &method](std::variant<Answers, WireError> outcome) {
    if (auto* error = std::get_if<WireError>(&outcome)) return call->fail(*error);
    call->answers = std::move(std::get<Answers>(outcome));
    submit(call, method);
  });
}

// ---- subscriptions of the modern era ----

// Addresses are admitted by providers, who may wait.
void Server::submit_listen(const std::shared_ptr<Call>& call) {
  if (!call->params()["notifications"]["resourceSubscriptions"]) return listen(call);
  const bool taken = pool_.submit(call->who(), [this, call] {
    if (!call->answered()) listen(call);
  });
  if (!taken) call->busy();
}

void Server::listen(const std::shared_ptr<Call>& call) {
  const JsonView want = call->params()["notifications"];
  if (!want.is_object()) return call->fail(invalid_params("\"notifications\" is no object"));
  const Offer offer = engine_.offer();
  const auto wanted = [&](std::string_view name) { return want[name].boolean().value_or(false); };
  const Listeners::Lists lists{wanted("toolsListChanged") && offer.tools,
                               wanted("promptsListChanged") && offer.prompts,
                               wanted("resourcesListChanged") && offer.resources};

  auto stream = std::make_shared<Listening>(call);
  const auto id = listeners_.add(
      call->who(), lists,
      [stream](const Change& change, std::string_view uri) { stream->deliver(change, uri); });
  std::vector<std::string> honoured;
  want["resourceSubscriptions"].each([&](JsonView item) {
    const auto uri = item.string();
    if (uri && listeners_.subscribe(id, *uri, options_.subscriptions)) honoured.emplace_back(*uri);
  });
  call->forget_request();
  {
    Lock lock(mutex_);
    call->deadline = steady_clock::time_point::max();
    listening_.emplace(call.get(), Listened{call, id});
  }
  stream->acknowledge(lists, honoured);
  if (call->answered()) stop_listening(call.get());
}

void Server::stop_listening(const Call* call) {
  std::optional<Listened> ended;  // destroyed after the lock is gone
  {
    Lock lock(mutex_);
    auto found = listening_.find(call);
    if (found == listening_.end()) return;
    ended = std::move(found->second);
    listening_.erase(found);
  }
  listeners_.remove(ended->listener);
}

void Server::end_subscriptions() {
  end_subscriptions([](const Principal&) { return true; });
}

void Server::end_subscriptions(bool (*whose)(const Principal&)) {
  std::vector<std::shared_ptr<Call>> calls;
  {
    Lock lock(mutex_);
    for (const auto& [key, listened] : listening_) {
      if (whose(listened.call->who())) calls.push_back(listened.call);
    }
  }
  for (const auto& call : calls) call->result(renderer_.empty(kNewest, call->message().id));
}

std::size_t Server::subscriptions() const {
  Lock lock(mutex_);
  return listening_.size();
}

// ---- sessions of the legacy era ----

std::variant<std::shared_ptr<Session>, WireError> Server::initialize(const Message& message,
                                                                     std::string session_id,
                                                                     const Principal& who) {
  const auto asked = message.params["protocolVersion"].string();
  if (!asked) return invalid_params("\"protocolVersion\" is missing or no string");
  const auto known = find_revision(*asked);
  const Revision revision = known && !modern(*known) ? *known : kNewestLegacy;
  auto session = std::make_shared<Session>(std::move(session_id), revision,
                                           read_abilities(message.params["capabilities"]), who,
                                           &memory_.share(who));
  session->touch(steady_clock::now());
  session->listener =
      listeners_.add(who, {true, true, true},
                     [weak = std::weak_ptr(session)](const Change& change, std::string_view uri) {
                       auto target = weak.lock();
                       if (target && target->ready) target->notify(change_text(change, uri, ""));
                     });
  return session;
}

std::string Server::initialize_result(const Session& session) const {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("protocolVersion", to_string(session.revision));
  w.raw_member("capabilities", capabilities(session.revision));
  w.key("serverInfo").begin_object().member("name", options_.name);
  if (session.revision >= Revision::v2025_06_18) w.member_if("title", options_.title);
  w.member("version", options_.version).end_object();
  w.member_if("instructions", options_.instructions(session.owner)).end_object();
  return out;
}

bool Server::submit_initialize_result(std::shared_ptr<const Session> session, std::string id,
                                      std::shared_ptr<Outlet> outlet) {
  const Principal& who = session->owner;
  return pool_.submit(
      who, [this, session = std::move(session), id = std::move(id), outlet = std::move(outlet)] {
        outlet->finish({response_text(id, initialize_result(*session)), 200, session->id});
      });
}

void Server::forget(Session& session) {
  listeners_.remove(session.listener);
  session.close();
}

// ---- time ----

void Server::tick(steady_clock::time_point now) {
  std::vector<std::shared_ptr<Call>> late;
  {
    Lock lock(mutex_);
    for (const auto& [key, weak] : active_) {
      auto call = weak.lock();
      if (call && call->deadline < now) late.push_back(std::move(call));
    }
  }
  for (const auto& call : late) {
    call->fail(wire_error({Code::timeout, "the request took too long and was stopped", {}},
                          call->revision()));
  }
  end_subscriptions(revoked);
  tokens_.tick();
}

}  // namespace lode
