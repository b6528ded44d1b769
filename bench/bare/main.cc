// The limit: an epoll loop that answers with bytes it was given, and nothing else.
//
//   bare_loop ANSWERS           over standard input and output
//   bare_loop ANSWERS PORT      over HTTP on 127.0.0.1
//
// ANSWERS are recorded from Lode: for each, a line with two lengths, then a text
// that tells its request from others, then the whole answer. The id in it is
// replaced by that of the request, which has as many digits. A request for a
// subscription stays open; at SIGUSR2 each gets the answer called "!event".
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view kRecordedId = "1000000000";
constexpr std::string_view kListen = "subscriptions/listen";
constexpr std::string_view kEvent = "!event";

struct Recorded {
  std::string match;
  std::string before;
  std::string after;
  bool has_id = false;
};

struct Stream {
  int fd;
  std::string id;
};

std::vector<Recorded> load(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<Recorded> all;
  std::size_t match = 0;
  std::size_t length = 0;
  while (in >> match >> length) {
    in.get();
    std::string text(match + length, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    Recorded recorded;
    recorded.match = text.substr(0, match);
    text.erase(0, match);
    const auto id = text.find(kRecordedId);
    recorded.has_id = id != std::string::npos;
    recorded.before = text.substr(0, id);
    if (recorded.has_id) recorded.after = text.substr(id + kRecordedId.size());
    all.push_back(std::move(recorded));
  }
  return all;
}

const Recorded* find(const std::vector<Recorded>& all, std::string_view request) {
  for (const auto& recorded : all) {
    if (request.find(recorded.match) != std::string_view::npos) return &recorded;
  }
  return nullptr;
}

std::string_view id_of(std::string_view request) {
  constexpr std::string_view kKey = "\"id\":";
  const auto at = request.find(kKey);
  return at == std::string_view::npos ? kRecordedId
                                      : request.substr(at + kKey.size(), kRecordedId.size());
}

void add(std::vector<iovec>& out, std::string_view text) {
  if (!text.empty()) out.push_back({const_cast<char*>(text.data()), text.size()});
}

void add(std::vector<iovec>& out, const Recorded& recorded, std::string_view id) {
  add(out, recorded.before);
  if (recorded.has_id) add(out, id);
  add(out, recorded.after);
}

// Writes all of it, waiting if need be.
void write_all(int fd, std::vector<iovec>& out) {
  std::size_t first = 0;
  while (first < out.size()) {
    const auto count = std::min<std::size_t>(out.size() - first, 512);
    ssize_t written = ::writev(fd, out.data() + first, static_cast<int>(count));
    if (written < 0) {
      if (errno != EAGAIN) return;
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
      continue;
    }
    for (; first < out.size() && static_cast<std::size_t>(written) >= out[first].iov_len; ++first) {
      written -= static_cast<ssize_t>(out[first].iov_len);
    }
    if (written == 0) continue;
    out[first].iov_base = static_cast<char*>(out[first].iov_base) + written;
    out[first].iov_len -= static_cast<std::size_t>(written);
  }
  out.clear();
}

// ---- stdio ----

void serve_stdio(const std::vector<Recorded>& answers) {
  std::string in;
  std::vector<iovec> out;
  char buffer[1 << 16];
  while (true) {
    const ssize_t length = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (length <= 0) return;
    in.append(buffer, static_cast<std::size_t>(length));
    std::string_view rest = in;
    for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      const auto line = rest.substr(0, end);
      if (const auto* recorded = find(answers, line)) add(out, *recorded, id_of(line));
      rest.remove_prefix(end + 1);
    }
    write_all(STDOUT_FILENO, out);
    in.erase(0, in.size() - rest.size());
  }
}

// ---- HTTP ----

class Loop {
 public:
  Loop(const std::vector<Recorded>& answers, std::uint16_t port)
      : answers_(answers), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    listen(port);
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGUSR2);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    signal_ = ::signalfd(-1, &set, SFD_CLOEXEC);
    watch(signal_);
  }

  void run() {
    epoll_event events[256];
    while (true) {
      const int count = ::epoll_wait(epoll_, events, 256, -1);
      for (int i = 0; i < count; ++i) handle(events[i].data.fd);
    }
  }

 private:
  void listen(std::uint16_t port) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener_, SOMAXCONN) != 0) {
      std::perror("bare_loop");
      std::exit(2);
    }
    watch(listener_);
  }

  void watch(int fd) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }

  void handle(int fd) {
    if (fd == listener_) return accept();
    if (fd == signal_) return publish();
    read(fd);
  }

  void accept() const {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(fd);
  }

  void publish() {
    signalfd_siginfo info{};
    if (::read(signal_, &info, sizeof info) != sizeof info) return;
    const auto* event = find(answers_, kEvent);
    for (const auto& stream : streams_) {
      add(out_, *event, stream.id);
      write_all(stream.fd, out_);
    }
  }

  void read(int fd) {
    char buffer[1 << 16];
    const ssize_t length = ::recv(fd, buffer, sizeof buffer, 0);
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) {
      partial_.erase(fd);
      ::close(fd);
      return;
    }
    std::string_view request(buffer, static_cast<std::size_t>(length));
    auto kept = partial_.find(fd);
    if (kept != partial_.end()) request = kept->second.append(request);
    if (whole(request)) {
      answer(fd, request);
      if (kept != partial_.end()) partial_.erase(kept);
    } else if (kept == partial_.end()) {
      partial_.emplace(fd, request);
    }
  }

  static bool whole(std::string_view request) {
    constexpr std::string_view kLength = "Content-Length: ";
    const auto end = request.find("\r\n\r\n");
    const auto length = request.find(kLength);
    if (end == std::string_view::npos || length > end) return false;
    const auto body = std::strtoul(request.data() + length + kLength.size(), nullptr, 10);
    return request.size() >= end + 4 + body;
  }

  void answer(int fd, std::string_view request) {
    const auto* recorded = find(answers_, request);
    if (recorded == nullptr) {
      ::close(fd);
      return;
    }
    const auto id = id_of(request);
    if (recorded->match == kListen) streams_.push_back({fd, std::string(id)});
    add(out_, *recorded, id);
    write_all(fd, out_);
  }

  const std::vector<Recorded>& answers_;
  int epoll_;
  int listener_ = -1;
  int signal_ = -1;
  std::vector<iovec> out_;
  std::vector<Stream> streams_;
  std::map<int, std::string> partial_;  // requests that came in pieces
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  ::signal(SIGPIPE, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  const auto answers = load(argv[1]);
  if (argc == 2) {
    serve_stdio(answers);
    return 0;
  }
  Loop(answers, static_cast<std::uint16_t>(std::atoi(argv[2]))).run();
}
