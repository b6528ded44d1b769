// What a new catalog changes for those who have seen the one before.
#pragma once

#include "engine/catalog.h"
#include "engine/events.h"

namespace lode {

// Publishes what stood at addresses that came, went or changed hands, and the lists that
// differ, with the addresses that differ in them.
void tell_changes(const Catalog& before, const Catalog& after, Events& events);

}  // namespace lode
