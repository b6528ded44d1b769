#include "transport/peer_uid.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace lode {
namespace {

constexpr std::string_view kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode\n"
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 "
    "11 1 0 100 0 0 10 0\n"
    "   1: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 "
    "12 1 0 20 4 30 10 -1\n"
    "   2: 0100007F:D432 0100007F:1F90 06 00000000:00000000 03:00000000 00000000     0        0 "
    "0 3 0\n";

TEST(FindSocketOwner, GoesByBothEnds) {
  EXPECT_EQ(find_socket_owner(kTable, "0100007F:D431", "0100007F:1F90"), 1001U);
  EXPECT_EQ(find_socket_owner(kTable, "0100007F:1F90", "0100007F:D431"), std::nullopt);
  EXPECT_EQ(find_socket_owner(kTable, "0100007F:D431", "0100007F:1F91"), std::nullopt);
}

TEST(FindSocketOwner, BelievesNothingOfASocketThatNobodyHolds) {
  EXPECT_EQ(find_socket_owner(kTable, "0100007F:D432", "0100007F:1F90"), std::nullopt);
}

TEST(FindSocketOwner, IsNotMisledByBrokenLines) {
  for (const char* table : {"", "\n\n", "1: 0100007F:D431 0100007F:1F90 01", "   \n"}) {
    EXPECT_EQ(find_socket_owner(table, "0100007F:D431", "0100007F:1F90"), std::nullopt) << table;
  }
  EXPECT_EQ(find_socket_owner("1: a b 01 0 0 0 -5 0 7\n", "a", "b"), std::nullopt);
  EXPECT_EQ(find_socket_owner("1: a b 01 0 0 0 5x 0 7\n", "a", "b"), std::nullopt);
}

// A connection over loopback; the client's end may be another user's.
class Loopback {
 public:
  explicit Loopback(int family) : listener_(::socket(family, SOCK_STREAM, 0)) {
    sockaddr_storage address{};
    socklen_t size = sizeof(sockaddr_in);
    address.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET) {
      reinterpret_cast<sockaddr_in*>(&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      reinterpret_cast<sockaddr_in6*>(&address)->sin6_addr = in6addr_loopback;
      size = sizeof(sockaddr_in6);
    }
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, raw, size) != 0 || ::listen(listener_, 1) != 0) return;
    ::getsockname(listener_, raw, &size);
    client = ::socket(family, SOCK_STREAM, 0);
    if (::connect(client, raw, size) == 0) server = ::accept(listener_, nullptr, nullptr);
  }
  ~Loopback() {
    for (int fd : {listener_, client, server}) ::close(fd);
  }

  int client = -1;
  int server = -1;

 private:
  int listener_;
};

TEST(PeerUid, NamesTheUserOfAConnectionOverLoopback) {
  for (int family : {AF_INET, AF_INET6}) {
    const Loopback loopback(family);
    if (loopback.server < 0 && family == AF_INET6) continue;  // a machine without IPv6
    ASSERT_GE(loopback.server, 0);
    EXPECT_EQ(peer_uid(loopback.server), ::geteuid());
    EXPECT_EQ(peer_uid_by_proc(loopback.server), ::geteuid());
  }
}

TEST(PeerUid, NamesAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  constexpr uid_t kOther = 65534;
  // The owner of a socket is who made it.
  ASSERT_EQ(::seteuid(kOther), 0);
  const Loopback loopback(AF_INET);
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_GE(loopback.server, 0);
  EXPECT_EQ(peer_uid(loopback.server), kOther);
  EXPECT_EQ(peer_uid_by_proc(loopback.server), kOther);
}

TEST(PeerUid, SaysNothingOfAPeerThatHasClosed) {
  Loopback loopback(AF_INET);
  ASSERT_GE(loopback.server, 0);
  ::close(std::exchange(loopback.client, -1));
  EXPECT_EQ(peer_uid(loopback.server), std::nullopt);
  EXPECT_EQ(peer_uid_by_proc(loopback.server), std::nullopt);
}

TEST(PeerUid, SaysNothingOfWhatIsNoTcpConnection) {
  std::array<int, 2> pair{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  EXPECT_EQ(peer_uid(pair[0]), std::nullopt);
  for (int fd : pair) ::close(fd);
  EXPECT_EQ(peer_uid(-1), std::nullopt);
}

}  // namespace
}  // namespace lode
