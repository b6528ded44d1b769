// What the caller of a tool may do with which file. Who asks knows where the file really
// is, and asks for both names if it has two. Any thread.
#pragma once

#include <string_view>

#include "engine/exchange.h"
#include "workspace/workspace.h"

namespace lode {

class FileGate {
 public:
  // REQUIRES: the exchange outlives it.
  explicit FileGate(const Exchange& exchange) : exchange_(exchange) {}

  // A path that has no address, since it is no UTF-8 or too long, is for nobody.
  bool permits(Action action, std::string_view absolute) const {
    return exchange_.may(action, file_uri(absolute), FileBehind{});
  }

 private:
  const Exchange& exchange_;
};

}  // namespace lode
