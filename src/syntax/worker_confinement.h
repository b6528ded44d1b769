// Takes from the calling process what a syntax worker does not need.
#pragma once

#include "syntax/limits.h"

namespace lode {

// From now on the process cannot open files, sockets or processes, cannot make memory
// executable, leaves no core file, and has no more memory than the largest task may
// take (sanitizers need more than that themselves). What is refused fails with EPERM.
void confine_worker(const SyntaxLimits& limits);

}  // namespace lode
