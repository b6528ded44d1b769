// The envelope of a modern request: everything it must say about itself.
//
// The order of the checks is the order in which a client hears of its mistakes;
// tests pin it.
#pragma once

#include <memory>
#include <variant>

#include "server/call.h"

namespace lode {

// Whether the message claims a protocol version of its own, which makes it
// modern whatever it asks for.
bool claims_version(JsonView message);

// A call ready to be dispatched, or what is wrong with its envelope. http: the
// request that carried it, or null on a pipe; its headers are held against the
// body. REQUIRES: the message is a request.
std::variant<std::shared_ptr<Call>, WireError> open_modern(
    std::shared_ptr<const JsonDocument> document, Message message, const Principal& who,
    std::shared_ptr<Outlet> outlet, const HttpRequest* http);

// Fills in what a request's `_meta` says in both eras: the progress token.
void read_progress_token(Call& call);

}  // namespace lode
