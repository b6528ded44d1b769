// Which user is at the other end of a connection on this machine.
//
// The kernel knows the owner of every socket. A TCP connection over loopback has
// both its ends here, so the peer's socket can be looked up by its addresses and
// ports: by a sock_diag request for exactly that socket (about 10 µs), or, where
// that is not allowed, in /proc/net/tcp and tcp6.
// The second way costs more the more sockets there are, so it is not taken to
// look again for what the first did not find.
//
// Nothing is the answer wherever there is doubt: the peer is on another machine
// or in another network namespace, its socket is closed already, or the kernel
// does not say. In a user namespace the kernel reports users that are not mapped
// there as 65534.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace lode {

// The user who owns the peer's socket of a connected TCP socket over loopback.
std::optional<uid_t> peer_uid(int socket);

// The same by the second way alone.
std::optional<uid_t> peer_uid_by_proc(int socket);

// The owner of the socket with those ends in a text such as /proc/net/tcp has:
// "0100007F:1F90", the address as the kernel prints it. Nothing: there is none, or
// nobody holds it any more.
std::optional<uid_t> find_socket_owner(std::string_view table, std::string_view local,
                                       std::string_view remote);

}  // namespace lode
