// SIGINT and SIGTERM: the first asks to stop, the second does not ask.
#pragma once

namespace lode {

// From this call on, for the rest of the process and whatever it is doing then, the
// second signal ends it at once, with 128 and the signal's number. Answers a
// descriptor that becomes readable with the first signal; it stays open. −1: there
// are no descriptors left, and nothing has changed.
int watch_stop_signals();

}  // namespace lode
