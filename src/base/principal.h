// Who is asking. Decided by the transport (and later by tokens), never by what
// a client says of itself.
#pragma once

#include <cstddef>
#include <string>

namespace lode {

struct Principal {
  // A stable name for policy, audit and cache keys: "local" for the user who
  // started the program and speaks over its pipe, "owner" for who holds the
  // workspace's token, "visitor" for a caller on loopback without a credential.
  std::string name;

  static Principal local() { return {"local"}; }
  static Principal owner() { return {"owner"}; }
  static Principal visitor() { return {"visitor"}; }

  // Everybody but the owner and the pipe. Guests get a part of everything that
  // is limited, so that they cannot lock those two out.
  bool guest() const { return name != "local" && name != "owner"; }
};

// What guests together may have of something limited: half. Of a single one, it.
constexpr std::size_t guest_part(std::size_t whole) { return whole - whole / 2; }

}  // namespace lode
