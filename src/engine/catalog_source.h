// The catalog in force: providers come, go and change while requests run.
//
// Each change makes a new catalog, which takes the place of the old one as a whole; a
// request keeps the one that it began with. What changed in the lists is told once,
// after the new catalog is in force. Any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"
#include "engine/catalog.h"
#include "engine/events.h"

namespace lode {

class CatalogSource {
 public:
  // REQUIRES: the events outlive it.
  explicit CatalogSource(Events& events);

  // Cheap: one short lock. Never null. A caller keeps what it got for one request.
  std::shared_ptr<const Catalog> current() const LODE_EXCLUDES(mutex_);

  // Takes a provider in, behind those that are there. Code::invalid: what is wrong
  // with its manifest, or what it has in common with another; nothing changed then.
  Status add(std::shared_ptr<Provider> provider) LODE_EXCLUDES(changing_, mutex_);
  // The provider's manifest is another now. Code::not_found: there is no such
  // provider. Code::invalid: as add(); the old manifest holds on.
  Status change(std::string_view name) LODE_EXCLUDES(changing_, mutex_);
  // The provider answers nobody any more who asks from now on. Code::not_found.
  Status remove(std::string_view name) LODE_EXCLUDES(changing_, mutex_);

 private:
  Status replace(Catalog::Members members) LODE_REQUIRES(changing_) LODE_EXCLUDES(mutex_);
  void tell(const Catalog& before, const Catalog& after);

  Events& events_;
  Mutex changing_;  // taken before mutex_; held until all have heard
  mutable Mutex mutex_;
  std::shared_ptr<const Catalog> catalog_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
