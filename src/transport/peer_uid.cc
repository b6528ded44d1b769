#include "transport/peer_uid.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace lode {
namespace {

// The kernel answers at once; a second without an answer is a fault.
constexpr timeval kPatience{1, 0};

// One end of a connection: an address of 4 or 16 bytes, in network order.
struct End {
  std::array<std::uint32_t, 4> address{};
  std::uint16_t port = 0;  // network order
};

struct Ends {
  int family = AF_UNSPEC;
  End ours;
  End peers;
};

End end_of(const sockaddr_storage& storage) {
  End end;
  if (storage.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &storage, sizeof in);
    end.address[0] = in.sin_addr.s_addr;
    end.port = in.sin_port;
  } else {
    sockaddr_in6 in{};
    std::memcpy(&in, &storage, sizeof in);
    std::memcpy(end.address.data(), &in.sin6_addr, sizeof end.address);
    end.port = in.sin6_port;
  }
  return end;
}

bool is_loopback(int family, const End& end) {
  if (family == AF_INET) return (ntohl(end.address[0]) >> 24) == 127;
  return std::memcmp(end.address.data(), &in6addr_loopback, sizeof end.address) == 0;
}

// Nothing unless the peer is on this machine.
std::optional<Ends> ends_of(int socket) {
  sockaddr_storage ours{};
  sockaddr_storage peers{};
  socklen_t size = sizeof ours;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&ours), &size) != 0) return std::nullopt;
  size = sizeof peers;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&peers), &size) != 0) return std::nullopt;
  if (ours.ss_family != peers.ss_family) return std::nullopt;
  if (ours.ss_family != AF_INET && ours.ss_family != AF_INET6) return std::nullopt;
  Ends ends{ours.ss_family, end_of(ours), end_of(peers)};
  if (!is_loopback(ends.family, ends.peers)) return std::nullopt;
  return ends;
}

struct Request {
  nlmsghdr header{};
  inet_diag_req_v2 diag{};
};

// Asks for the one socket whose near end is the peer's.
Request request_for(const Ends& ends) {
  Request request;
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  auto& diag = request.diag;
  diag.sdiag_family = static_cast<std::uint8_t>(ends.family);
  diag.sdiag_protocol = IPPROTO_TCP;
  diag.idiag_states = 1U << TCP_ESTABLISHED | 1U << TCP_FIN_WAIT1 | 1U << TCP_FIN_WAIT2;
  diag.id.idiag_sport = ends.peers.port;
  diag.id.idiag_dport = ends.ours.port;
  std::memcpy(diag.id.idiag_src, ends.peers.address.data(), sizeof diag.id.idiag_src);
  std::memcpy(diag.id.idiag_dst, ends.ours.address.data(), sizeof diag.id.idiag_dst);
  diag.id.idiag_cookie[0] = diag.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return request;
}

// What the kernel said; not at all, if it was not asked or knows no such request.
struct Told {
  bool answered = false;
  std::optional<uid_t> owner;
};

// A socket that no process holds any more has no inode, and root for an owner.
Told told_by(const char* answer, std::size_t size) {
  nlmsghdr header{};
  if (size < NLMSG_HDRLEN) return {};
  std::memcpy(&header, answer, sizeof header);
  if (header.nlmsg_type == NLMSG_ERROR && size >= NLMSG_HDRLEN + sizeof(nlmsgerr)) {
    nlmsgerr error{};
    std::memcpy(&error, answer + NLMSG_HDRLEN, sizeof error);
    return {error.error == -ENOENT && error.msg.nlmsg_type == SOCK_DIAG_BY_FAMILY, {}};
  }
  inet_diag_msg message{};
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY || size < NLMSG_HDRLEN + sizeof message) return {};
  std::memcpy(&message, answer + NLMSG_HDRLEN, sizeof message);
  if (message.idiag_inode == 0) return {true, {}};
  return {true, message.idiag_uid};
}

Told ask_kernel(const Ends& ends) {
  const Descriptor netlink(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (netlink.get() < 0) return {};
  ::setsockopt(netlink.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  const Request request = request_for(ends);
  if (::send(netlink.get(), &request, sizeof request, 0) != sizeof request) return {};
  std::array<char, 4096> answer{};
  const ssize_t got = ::recv(netlink.get(), answer.data(), answer.size(), 0);
  return got < 0 ? Told{} : told_by(answer.data(), static_cast<std::size_t>(got));
}

// As /proc/net/tcp prints it: words of 32 bits in the machine's order.
std::string printed(int family, const End& end) {
  std::string text;
  const std::size_t words = family == AF_INET ? 1 : end.address.size();
  for (std::size_t i = 0; i < words; ++i) text += fmt::format("{:08X}", end.address[i]);
  return text + fmt::format(":{:04X}", ntohs(end.port));
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) return words;
    const auto end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<std::uint64_t> number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failed != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<uid_t> look_up(const Ends& ends) {
  std::ifstream file(ends.family == AF_INET ? "/proc/net/tcp" : "/proc/net/tcp6");
  const std::string table{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return find_socket_owner(table, printed(ends.family, ends.peers),
                           printed(ends.family, ends.ours));
}

}  // namespace

std::optional<uid_t> find_socket_owner(std::string_view table, std::string_view local,
                                       std::string_view remote) {
  constexpr std::size_t kLocal = 1;
  constexpr std::size_t kRemote = 2;
  constexpr std::size_t kUid = 7;
  constexpr std::size_t kInode = 9;
  while (!table.empty()) {
    const auto end = std::min(table.find('\n'), table.size());
    const auto line = table.substr(0, end);
    table.remove_prefix(std::min(end + 1, table.size()));
    if (line.find(local) == std::string_view::npos) continue;  // most lines
    const auto words = words_of(line);
    if (words.size() <= kInode || words[kLocal] != local || words[kRemote] != remote) continue;
    const auto uid = number(words[kUid]);
    const auto inode = number(words[kInode]);
    if (!uid || !inode || *inode == 0) return std::nullopt;
    return static_cast<uid_t>(*uid);
  }
  return std::nullopt;
}

std::optional<uid_t> peer_uid_by_proc(int socket) {
  const auto ends = ends_of(socket);
  return ends ? look_up(*ends) : std::nullopt;
}

std::optional<uid_t> peer_uid(int socket) {
  const auto ends = ends_of(socket);
  if (!ends) return std::nullopt;
  const Told told = ask_kernel(*ends);
  return told.answered ? told.owner : look_up(*ends);
}

}  // namespace lode
