#include "base/result.h"

namespace lode {

std::string_view to_string(Code code) {
  switch (code) {
    case Code::invalid: return "invalid";
    case Code::not_found: return "not_found";
    case Code::denied: return "denied";
    case Code::conflict: return "conflict";
    case Code::unsupported: return "unsupported";
    case Code::cancelled: return "cancelled";
    case Code::timeout: return "timeout";
    case Code::unavailable: return "unavailable";
    case Code::internal: return "internal";
  }
  return "internal";
}

Error Error::in(std::string_view doing) && {
  message.insert(0, ": ").insert(0, doing);
  return std::move(*this);
}

}  // namespace lode
