// The memory that was allocated and freed.
#pragma once

#include <malloc.h>

namespace lode {

// Gives what is free back to the system. For who has just freed much that will not be needed again
// soon: allocators keep it otherwise. Takes milliseconds; all threads' memory waits meanwhile.
inline void trim_heap() { ::malloc_trim(0); }

}  // namespace lode
