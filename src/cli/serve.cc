#include "cli/serve.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <thread>

#include "base/memory_budget.h"
#include "base/mutex.h"
#include "base/worker_pool.h"
#include "cli/stop_signals.h"
#include "server/callers.h"
#include "server/endpoint.h"
#include "server/event_endpoint.h"
#include "server/metrics.h"
#include "server/pipe.h"
#include "server/resource_endpoint.h"
#include "transport/http_server.h"
#include "transport/stdio.h"

namespace lode {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTick{500};

// Many streams need many descriptors; the soft limit is often 1,024.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Files, the store, watchers and other programs need descriptors too: connections
// may take three quarters of them.
HttpLimits within_descriptors(HttpLimits limits) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return limits;
  const auto most = static_cast<std::size_t>(limit.rlim_cur) / 4 * 3;
  limits.connections = std::max<std::size_t>(1, std::min(limits.connections, most));
  return limits;
}

// Nothing keeps the process from ending: a provider that hangs, or a client that
// does not read what is written to it, is left behind.
// By a signal: at the end there may be no thread to be had.
void leave_within(std::chrono::milliseconds time) {
  ::signal(SIGALRM, [](int) {
    constexpr std::string_view kWord = "lode: the end took too long; leaving\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kWord.data(), kWord.size());
    ::_exit(0);
  });
  itimerval timer{};
  timer.it_value.tv_sec = time.count() / 1000;
  timer.it_value.tv_usec = time.count() % 1000 * 1000;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

HttpRoute page(HttpRoute::Handler handler) {
  HttpRoute route;
  route.methods = "GET, HEAD";
  route.handler = std::move(handler);
  return route;
}

// A running server and everything it owns, in the order of their dependence.
class Service {
 public:
  Service(const ServeParts& parts, const ServeOptions& options)
      : options_(options),
        cache_(parts.cache),
        policy_(parts.policy),
        tokens_served_(parts.tokens_served),
        activity_(parts.activity),
        events_(parts.events),
        log_(parts.log),
        tell_stopping_(parts.stopping),
        look_at_offer_(parts.look_at_offer),
        memory_(options.memory_bytes),
        pool_(options.workers, options.queue),
        server_(parts.engine, parts.events, pool_, memory_, parts.log, options.server,
                {[this](const Served& served) {
                   metrics_.observe(served);
                   activity_.observe(served);
                 },
                 [this](const TokensServed& tokens) {
                   metrics_.observe(tokens);
                   activity_.observe(tokens);
                   tokens_served_ += tokens.count.tokens;
                 }}),
        callers_(
            {options.token, !options.http_guard.hosts.empty(), ::geteuid(), options.current_token},
            pool_),
        endpoint_(server_, options.sessions),
        resource_(server_, pool_, parts.files),
        changes_(server_, pool_),
        router_(options.http_guard, callers_, pool_),
        http_(
            io_, within_descriptors(options.http_limits),
            [this](HttpRequest request, HttpReply reply) {
              router_.handle(std::move(request), std::move(reply));
            },
            [this](const HttpRequest& head) -> MemoryShare& {
              return memory_.share(callers_.claimed(head));
            }),
        signals_(io_),
        timer_(io_),
        reader_(STDIN_FILENO, options.line_bytes) {
    add_routes();
    add_metrics();
    parts.access = [this](const Access& access) { metrics_.observe(access); };
  }

  Status run() {
    std::uint16_t bound = 0;
    if (!options_.http.empty()) {
      auto port = http_.listen(options_.http);
      if (!port) return std::move(port).error();
      bound = *port;
      log_.info("listening", {{"http", options_.http}, {"port", std::to_string(bound)}});
    }
    options_.bound(bound);
    if (auto watched = await_signal(); !watched) return watched;
    tick();
    std::thread io([this] { io_.run(); });
    if (options_.stdio) {
      serve_stdio();
      boost::asio::post(io_, [this] { begin_stop(); });
    }
    io.join();
    if (!pool_.finish(options_.grace)) {
      // What hangs may use anything: nothing can be taken down around it.
      log_.error("a provider hangs; leaving without it");
      ::_exit(0);
    }
    return {};
  }

 private:
  void add_routes() {
    router_.add("/mcp", endpoint_.route());
    router_.add(std::string(ResourceEndpoint::kPath), resource_.route());
    router_.add(std::string(EventEndpoint::kPath), changes_.route());
    HttpRoute metrics = page([this](HttpContext context) {
      server_.settle_tokens();
      context.respond(200, "text/plain; version=0.0.4; charset=utf-8", metrics_.text());
    });
    metrics.blocks = true;
    router_.add("/metrics", std::move(metrics));
    // Whoever watches the process need not be known to it, and learns nothing else.
    HttpRoute live =
        page([](HttpContext context) { context.respond(200, "text/plain", "live\n"); });
    HttpRoute ready = page([this](HttpContext context) {
      if (stopping_) return context.respond(503, "text/plain", "stopping\n");
      context.respond(200, "text/plain", "ready\n");
    });
    live.for_anybody = ready.for_anybody = true;
    router_.add("/health/live", std::move(live));
    router_.add("/health/ready", std::move(ready));
    if (!options_.http.empty()) options_.add_routes(router_);
  }

  void add_metrics() {
    const auto count = [this](auto member) {
      return [this, member] { return static_cast<double>(http_.counts().*member); };
    };
    metrics_.add_gauge("lode_http_connections", "Open HTTP connections.",
                       count(&HttpCounts::connections_open));
    metrics_.add_counter("lode_http_connections_total", "HTTP connections accepted.",
                         count(&HttpCounts::connections_total));
    metrics_.add_counter("lode_http_connections_refused_total",
                         "HTTP connections refused because there were too many.",
                         count(&HttpCounts::connections_refused));
    metrics_.add_counter("lode_http_connections_replaced_total",
                         "HTTP connections closed to make room for new ones.",
                         count(&HttpCounts::connections_replaced));
    metrics_.add_gauge("lode_http_streams", "Open event streams.",
                       count(&HttpCounts::streams_open));
    metrics_.add_counter("lode_http_readers_shed_total",
                         "Connections closed because the client did not read.",
                         count(&HttpCounts::readers_shed));
    metrics_.add_counter("lode_http_malformed_total", "Malformed HTTP requests.",
                         count(&HttpCounts::requests_malformed));
    const auto cached = [this](auto member) {
      return [this, member] { return static_cast<double>(cache_.stats().*member); };
    };
    metrics_.add_counter("lode_cache_hits_total", "Reads and lists answered from the cache.",
                         cached(&Cache::Stats::hits));
    metrics_.add_counter("lode_cache_misses_total", "Reads and lists that providers had to answer.",
                         cached(&Cache::Stats::misses));
    metrics_.add_counter("lode_cache_evictions_total", "Entries that made room for others.",
                         cached(&Cache::Stats::evictions));
    metrics_.add_gauge("lode_cache_bytes", "Memory of the cache's entries.",
                       cached(&Cache::Stats::bytes));
    metrics_.add_gauge("lode_cache_entries", "Entries in the cache.",
                       cached(&Cache::Stats::entries));
    metrics_.add_gauge("lode_memory_bytes",
                       "Memory of answers that are collected, wait to be read or are kept.",
                       [this] { return static_cast<double>(memory_.used()); });
    metrics_.add_gauge("lode_memory_limit_bytes", "What lode_memory_bytes may be at most.",
                       [this] { return static_cast<double>(memory_.limit()); });
    metrics_.add_counter("lode_memory_refusals_total", "Requests refused because memory was short.",
                         [this] { return static_cast<double>(memory_.refusals()); });
    metrics_.add_gauge("lode_sessions", "Sessions of legacy HTTP clients.",
                       [this] { return static_cast<double>(endpoint_.sessions()); });
    metrics_.add_gauge(
        "lode_subscriptions", "Open subscription streams, those of /events too.",
        [this] { return static_cast<double>(server_.subscriptions() + changes_.streams()); });
  }

  Status await_signal() {
    const int bell = ::dup(watch_stop_signals());
    if (bell < 0) return internal("cannot watch signals: there are no descriptors left");
    signals_.assign(bell);
    signals_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                        [this](const boost::system::error_code& error) {
                          if (!error) begin_stop();
                        });
    return {};
  }

  // Files may be slow to read, and a revocation must not wait for a restart.
  void look_at_files() {
    const bool taken = pool_.submit(Principal::local(), [this] {
      Lock one_at_a_time(looking_);
      callers_.look_again();
      const bool other_offer = look_at_offer_();
      auto changed = policy_.reload_if_changed();
      if (!changed) log_.warning("policy kept", {{"problem", changed.error().message}});
      const bool other_policy = changed && *changed;
      if (!other_offer && !other_policy) return;
      if (other_policy) log_.info("policy changed");
      cache_.drop_all();  // contents may depend on what both name
      events_.publish({Change::Kind::resource_list, ""});
      events_.publish({Change::Kind::tool_list, ""});
      events_.publish({Change::Kind::prompt_list, ""});
    });
    if (!taken) log_.debug("too busy to look at the policy and the token");
  }

  // Until ended_: a handler that was due when the timer was cancelled runs all the
  // same, and must not begin again.
  void tick() {
    timer_.expires_after(kTick);
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (error || ended_) return;
      const auto now = steady_clock::now();
      server_.tick(now);
      endpoint_.tick(now);
      resource_.tick(now);
      changes_.tick();
      router_.tick(now);
      pool_.tick();
      activity_.tick();
      if (!stopping_) look_at_files();
      tick();
    });
  }

  void serve_stdio() {
    auto sink = std::make_shared<StdioSink>(
        STDOUT_FILENO, options_.stdout_bytes,
        [this] {
          log_.error("the client does not read; giving up");
          reader_.stop();
        },
        &memory_.share(Principal::local()));
    Pipe pipe(server_, Principal::local(), sink);
    reader_.run({[&](std::string_view line) { pipe.receive(line); },
                 [&](const std::string& id) {
                   pipe.refuse(fmt::format("a message is at most {} bytes", options_.line_bytes),
                               id);
                 },
                 [&] { return sink->congested(); },
                 [&](bool several) { several ? sink->hold() : sink->release(); }});
    begin_end();
    server_.end_subscriptions();
    const auto until = steady_clock::now() + options_.grace;
    while (!pipe.idle() && steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  // Any thread: the end begins, and has its time.
  void begin_end() {
    if (ending_.exchange(true)) return;
    log_.info("stopping");
    leave_within(options_.end);
    tell_stopping_();
  }

  // On the io thread: no new work, open subscriptions end with their result,
  // what runs may finish.
  void begin_stop() {
    if (std::exchange(stopping_, true)) return;
    begin_end();
    reader_.stop();
    server_.end_subscriptions();
    endpoint_.close();
    changes_.close();
    http_.shutdown(options_.grace, [this] {
      ended_ = true;
      timer_.cancel();
      signals_.close();
    });
  }

  const ServeOptions& options_;
  Cache& cache_;
  PolicySource& policy_;
  std::atomic<std::uint64_t>& tokens_served_;
  Activity& activity_;
  Events& events_;
  Log& log_;
  const std::function<void()> tell_stopping_;
  const std::function<bool()> look_at_offer_;
  Metrics metrics_;
  MemoryBudget memory_;
  WorkerPool pool_;
  Server server_;
  boost::asio::io_context io_{1};
  Callers callers_;
  Endpoint endpoint_;
  ResourceEndpoint resource_;
  EventEndpoint changes_;
  HttpRouter router_;
  HttpServer http_;
  boost::asio::posix::stream_descriptor signals_;
  boost::asio::steady_timer timer_;
  StdioReader reader_;
  Mutex looking_;  // one looks at the files at a time
  std::atomic<bool> ending_{false};
  bool stopping_ = false;  // io thread
  bool ended_ = false;     // io thread: no connection is left
};

}  // namespace

Status serve(const ServeParts& parts, const ServeOptions& options) {
  ::signal(SIGPIPE, SIG_IGN);
  raise_descriptor_limit();
  return Service(parts, options).run();
}

}  // namespace lode
