// What the caller of a tool may do with which file. Any thread.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "base/uri.h"
#include "engine/policy.h"
#include "workspace/workspace.h"

namespace lode {

class FileGate {
 public:
  using Permits = std::function<bool(Action action, const Uri& address)>;

  explicit FileGate(Permits permits) : permits_(std::move(permits)) {}

  // A path that has no address, since it is no UTF-8 or too long, is for nobody.
  bool permits(Action action, std::string_view absolute) const {
    const auto uri = Uri::parse(file_uri(absolute));
    return uri && permits_(action, *uri);
  }

 private:
  Permits permits_;
};

}  // namespace lode
