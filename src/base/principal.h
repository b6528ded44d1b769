// Who is asking. Decided where a request arrives, never by what a client says of
// itself.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace lode {

class Grants;  // base/grants.h

// Cheap to copy: a short name, and grants that all copies share.
struct Principal {
  // A stable name for policy and audit: "local" for the user who started the
  // program and speaks over its pipe, "owner" for who holds the workspace's
  // token, "visitor" for a caller on loopback without a credential. Empty: nobody
  // was asked, because what is served is for anybody.
  std::string name;
  // Roles, scopes and claims of the credential; null: it has none, and cannot end.
  std::shared_ptr<const Grants> grants{};

  static Principal local() { return {"local"}; }
  static Principal owner() { return {"owner"}; }
  static Principal visitor() { return {"visitor"}; }

  // Everybody but the owner and the pipe. Guests get a part of everything that
  // is limited, so that they cannot lock those two out.
  bool guest() const { return name != "local" && name != "owner"; }

  // Two principals with the same audience are shown the same: the name and, where a
  // credential grants something, what it grants. For the keys of caches.
  const std::string& audience() const;
};

// The names of everyone ("*") and of the principals above: no credential can name its
// holder so, nor grant a role that is called so.
bool is_reserved_name(std::string_view name);

// What guests together may have of something limited: half. Of a single one, it.
constexpr std::size_t guest_part(std::size_t whole) { return whole - whole / 2; }

}  // namespace lode
