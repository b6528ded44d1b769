// The one table of what a client can ask.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/content.h"
#include "engine/engine.h"
#include "protocol/revision.h"
#include "protocol/wire_error.h"
#include "transport/reply.h"

namespace lode {

class Call;
class Server;

// The result as JSON; or questions for the client; or an error.
using Handled = std::variant<Payload, NeedsInput, WireError>;

struct Method {
  std::string_view name;
  Revision from;  // the revisions that have it
  Revision until;
  bool Offer::*needs;        // what the server must offer for it, or null
  std::string_view subject;  // the parameter that the Mcp-Name header repeats, or empty
  bool blocks;               // runs on the worker pool
  Handled (*run)(Server& server, Call& call);  // null: handled by the server itself
  // The same answer from the cache, on the transport's thread: waits for nothing. Nothing:
  // it is not there. Null: such an answer is never kept.
  std::optional<Payload> (*warm)(Server& server, Call& call) = nullptr;
};

// Null: no such method in that revision.
const Method* find_method(std::string_view name, Revision revision);

// Every method's name, and "unknown" for what is none: the labels of metrics.
std::vector<std::string_view> method_names();

}  // namespace lode
