// Which addresses are offered at all (`resources.expose`). Constant; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"
#include "base/result.h"
#include "base/uri.h"

namespace lode {

class Exposure {
 public:
  // Everything.
  Exposure() = default;
  // Entries are addresses or globs of them; none means everything.
  static Result<Exposure> parse(const std::vector<std::string>& entries);

  // From now on an address must be in this list too; none narrows nothing. It opens
  // nothing: names() does not ask it. An entry that is no address matches none.
  void narrow(const std::vector<std::string>& entries);

  // The query has no say.
  bool shows(const Uri& uri) const;
  // Whether an entry names the address, or the kind of addresses that it is one
  // of, and does not only happen to match it: begins with its scheme and host.
  bool names(const Uri& uri) const;
  // Whether any address of the template may be shown.
  bool shows_some(std::string_view uri_template) const;

 private:
  std::vector<Glob> globs_;
  bool narrowed_ = false;
  std::vector<Glob> narrower_;
};

}  // namespace lode
