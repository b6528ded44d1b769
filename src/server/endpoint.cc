#include "server/endpoint.h"

#include <utility>

#include "base/random.h"
#include "protocol/mcp.h"
#include "server/legacy.h"
#include "server/modern.h"

namespace lode {
namespace {

constexpr std::size_t kSessionIdBytes = 16;
constexpr std::string_view kEvents = "text/event-stream";
constexpr std::string_view kJson = "application/json";

// A message up to so many bytes is not counted in the memory budget; a longer one
// takes about so many times its length when it is parsed.
constexpr std::size_t kShortMessage = 4096;
constexpr std::size_t kParsed = 4;

// A message, counted until the last who needs it lets it go.
struct Counted {
  Counted(JsonDocument parsed, MemoryCharge counted)
      : document(std::move(parsed)), charge(std::move(counted)) {}

  const JsonDocument document;
  const MemoryCharge charge;
};

void refuse(HttpContext& context, int status, std::string why) {
  auto error = invalid_request(std::move(why));
  context.respond(status, kJson, error_text("", error));
}

bool json_body(const HttpRequest& request) {
  const auto* type = request.header("content-type");
  if (type == nullptr) return false;
  auto name = std::string_view(*type).substr(0, type->find(';'));
  while (name.ends_with(' ')) name.remove_suffix(1);
  return name.size() == kJson.size() &&
         std::equal(name.begin(), name.end(), kJson.begin(),
                    [](char a, char b) { return (a | 0x20) == (b | 0x20); });
}

// The revision that the version header names, if it is one of ours.
std::optional<Revision> header_revision(const HttpRequest& request) {
  const auto* header = request.header(mcp::kHeaderVersion);
  return header == nullptr ? std::nullopt : find_revision(*header);
}

bool names_modern(const HttpRequest& request) {
  const auto revision = header_revision(request);
  return revision && modern(*revision);
}

bool names_unknown(const HttpRequest& request) {
  return request.header(mcp::kHeaderVersion) != nullptr && !header_revision(request);
}

}  // namespace

struct Endpoint::Post {
  HttpRequest request;
  Principal who;
  std::shared_ptr<const JsonDocument> document;
  std::shared_ptr<HttpOutlet> outlet;
  std::shared_ptr<Session> session;

  void fail(std::string_view id, const WireError& error) const {
    outlet->finish({error_text(id, error), error.status, ""});
  }
  void fail(int status, std::string_view id, std::string why) const {
    auto error = invalid_request(std::move(why));
    error.status = status;
    fail(id, error);
  }
  void accepted() const { outlet->finish({"", 202, ""}); }
};

HttpRoute Endpoint::route() {
  HttpRoute route;
  route.methods = "POST, GET, DELETE";
  route.handler = [this](HttpContext context) { handle(std::move(context)); };
  route.refuse = [](HttpContext context, int status, const std::string& why) {
    refuse(context, status, why);
  };
  return route;
}

void Endpoint::handle(HttpContext context) {
  if (context.request.method == "GET") return get(std::move(context));
  if (context.request.method == "DELETE") return remove(std::move(context));
  post(std::move(context));
}

// Reads the body, counted if it is long. False: it was refused.
bool Endpoint::parse(Post& post) {
  MemoryCharge charge;
  if (post.request.body.size() > kShortMessage) {
    charge = MemoryCharge(server_.memory(post.who), kParsed * post.request.body.size());
    post.request.charge.release();
    if (!charge.share()->fits()) {
      post.fail("", {wire::kInternal, "the server is busy; try again", "", 503});
      return false;
    }
  }
  auto parsed = JsonDocument::parse(post.request.body);
  if (!parsed) {
    post.fail("", parse_error(parsed.error().message));
    return false;
  }
  auto counted = std::make_shared<const Counted>(std::move(*parsed), std::move(charge));
  post.document = {counted, &counted->document};
  return true;
}

void Endpoint::post(HttpContext context) {
  if (!json_body(context.request)) {
    return refuse(context, 415, "the Content-Type of a message is application/json");
  }
  const bool events = accepts(context.request.header("accept"), kEvents);
  Post post;
  post.outlet = std::make_shared<HttpOutlet>(std::move(context.reply), std::move(context.common),
                                             events, &server_.memory(context.who));
  post.request = std::move(context.request);
  post.who = std::move(context.who);
  if (!parse(post)) return;
  if (post.document->root().is_array()) return post_batch(post);

  auto read = read_message(post.document->root());
  if (auto* bad = std::get_if<MessageError>(&read)) return post.fail(bad->id, bad->error);
  auto& message = std::get<Message>(read);
  const bool claims = claims_version(post.document->root());
  if (!claims && message.method == "initialize" && names_modern(post.request)) {
    return post.fail(message.id, header_mismatch("initialize is of an older protocol version than "
                                                 "the header mcp-protocol-version names"));
  }
  const bool response = message.kind == Message::Kind::response;
  if (claims || (names_modern(post.request) && !response)) {
    return post_modern(post, std::move(message));
  }
  post_legacy(post, std::move(message));
}

void Endpoint::post_modern(Post& post, Message message) {
  if (message.kind == Message::Kind::notification) return post.accepted();
  const std::string id = message.id;
  auto opened =
      open_modern(post.document, std::move(message), post.who, post.outlet, &post.request);
  if (auto* error = std::get_if<WireError>(&opened)) return post.fail(id, *error);
  auto& call = std::get<std::shared_ptr<Call>>(opened);
  if (!post.outlet->streams() && call->message().method == "subscriptions/listen") {
    auto error = invalid_request("the answer is text/event-stream; accept it");
    error.status = 406;
    return call->fail(error);
  }
  call->on_close([weak = std::weak_ptr(call)] {
    if (auto gone = weak.lock()) gone->cancel();
  });
  server_.dispatch(call);
}

// The session that the request names. False: it was refused.
bool Endpoint::find_session(Post& post, std::string_view id_of_request) {
  if (names_unknown(post.request)) {
    post.fail(400, id_of_request, "the header mcp-protocol-version names no revision served here");
    return false;
  }
  const auto* id = post.request.header(mcp::kHeaderSession);
  if (id == nullptr) return true;
  post.session = sessions_.find(*id, post.who);
  if (!post.session) post.fail(404, id_of_request, "no such session; initialize again");
  return post.session != nullptr;
}

void Endpoint::post_legacy(Post& post, Message message) {
  if (message.method == "initialize" && message.kind == Message::Kind::request) {
    return initialize(post, message);
  }
  if (!find_session(post, message.id)) return;
  if (message.kind == Message::Kind::request) {
    if (!post.session) return begin(post, std::move(message), post.outlet);
    auto stream = post.session->open_stream();
    stream->attach(post.outlet, 0);
    return begin(post, std::move(message), stream);
  }
  if (message.kind == Message::Kind::response && !post.session) {
    return post.fail(400, "", "a response needs the session that asked");
  }
  if (post.session) take_legacy(message, *post.session);
  post.accepted();
}

void Endpoint::begin(Post& post, Message message, const std::shared_ptr<Outlet>& outlet) {
  const Revision revision = header_revision(post.request).value_or(kAssumedLegacy);
  auto call =
      open_legacy(post.document, std::move(message), post.session, revision, post.who, outlet);
  if (post.session && !admit(call, post.session->in_flight, post.session)) return;
  server_.dispatch(call);
}

void Endpoint::initialize(Post& post, const Message& message) {
  auto made = server_.initialize(message, random_hex(kSessionIdBytes), post.who);
  if (auto* error = std::get_if<WireError>(&made)) return post.fail(message.id, *error);
  auto session = std::get<std::shared_ptr<Session>>(std::move(made));
  const auto [added, replaced] = sessions_.add(session);
  if (replaced) server_.forget(*replaced);
  const auto refuse_session = [&](const char* why) {
    server_.forget(*session);
    const Error error{Code::unavailable, why, std::chrono::seconds(5)};
    post.fail(message.id, wire_error(error, session->revision));
  };
  if (!added) return refuse_session("too many sessions; try again later");
  if (server_.submit_initialize_result(session, message.id, post.outlet)) return;
  sessions_.remove(session->id);
  refuse_session("the server is busy; try again later");
}

void Endpoint::post_batch(Post& post) {
  const JsonView batch = post.document->root();
  if (names_modern(post.request) || !good_batch(batch)) {
    return post.fail("", invalid_request("a batch holds messages of revision 2025-03-26 only"));
  }
  if (!find_session(post, "")) return;
  const auto revision = post.session ? post.session->revision
                                     : header_revision(post.request).value_or(kAssumedLegacy);
  if (revision != Revision::v2025_03_26) {
    return post.fail("", invalid_request("batches are of revision 2025-03-26 and no other"));
  }
  std::shared_ptr<Outlet> outlet = post.outlet;
  if (post.session) {
    auto stream = post.session->open_stream();
    stream->attach(post.outlet, 0);
    outlet = stream;
  }
  auto answers = std::make_shared<Batch>(outlet, batch.size());
  batch.each([&](JsonView value) {
    auto part = answers->begin();
    auto read = read_message(value);
    if (auto* bad = std::get_if<MessageError>(&read)) {
      return part->finish({error_text(bad->id, bad->error), 400, ""});
    }
    auto& message = std::get<Message>(read);
    if (message.kind != Message::Kind::request) {
      if (post.session) take_legacy(message, *post.session);
      return;
    }
    if (message.method == "initialize") {
      const auto error = invalid_request("initialize is not part of a batch");
      return part->finish({error_text(message.id, error), 400, ""});
    }
    begin(post, std::move(message), part);
  });
}

void Endpoint::get(HttpContext context) {
  const auto* id = context.request.header(mcp::kHeaderSession);
  if (id == nullptr) {
    context.common.emplace_back("Allow", "POST");
    return refuse(context, 405,
                  "a stream needs a session; modern clients use subscriptions/listen");
  }
  const auto* accept = context.request.header("accept");
  if (accept == nullptr || !accepts(accept, kEvents)) {
    return refuse(context, 406, "the answer is text/event-stream; accept it");
  }
  if (names_unknown(context.request)) return refuse(context, 400, "unknown protocol version");
  auto session = sessions_.find(*id, context.who);
  if (!session) return refuse(context, 404, "no such session; initialize again");

  std::shared_ptr<Stream> stream = session->standing_stream();
  std::uint64_t after = 0;
  if (const auto* last = context.request.header(mcp::kHeaderLastEvent)) {
    const auto place = Stream::parse_id(*last);
    stream = place ? session->find_stream(place->stream) : nullptr;
    if (!stream)
      return refuse(context, 400, "the event id is not, or no longer, one of this session");
    after = place->message;
  } else if (stream->attached()) {
    return refuse(context, 409, "this session has its stream open already");
  }
  auto outlet = std::make_shared<HttpOutlet>(std::move(context.reply), std::move(context.common),
                                             true, &server_.memory(context.who));
  outlet->open();
  stream->attach(outlet, after);
  stream->open();
}

void Endpoint::remove(HttpContext context) {
  const auto* id = context.request.header(mcp::kHeaderSession);
  if (id == nullptr) {
    context.common.emplace_back("Allow", "POST");
    return refuse(context, 405, "there is no session to end");
  }
  auto session = sessions_.find(*id, context.who);
  if (!session) return refuse(context, 404, "no such session");
  sessions_.remove(session->id);
  server_.forget(*session);
  context.respond({204, {}, ""});
}

void Endpoint::tick(std::chrono::steady_clock::time_point now) {
  for (auto& session : sessions_.expire(now)) server_.forget(*session);
}

void Endpoint::close() {
  for (auto& session : sessions_.take_all()) {
    session->standing_stream()->end();
    session->stop_asking();
  }
}

}  // namespace lode
