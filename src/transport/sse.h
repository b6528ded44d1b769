// Server-sent events, as text.
#pragma once

#include <string>

#include "transport/reply.h"

namespace lode {

// One event. Each line of its data gets a field of its own, so that nothing in
// a message is ever read as a field of the stream; a client joins the lines with
// LF, whatever ended them here. An id that no client would keep (one with a line
// end or a NUL) is left out.
std::string sse_text(const Event& event);

}  // namespace lode
