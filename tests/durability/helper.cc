// The other process of the durability tests. A command waits for a line on
// standard input before it begins, so that several can begin at once.
//
//   migrate DIRECTORY                     opens and migrates a database; "done"
//   increment DIRECTORY COUNT             adds one to a counter; the new value, each time
//   converse DIRECTORY NAME COUNT OTHERS  publishes COUNT changes and listens until it has heard
//                                         OTHERS; then, after another line, once more;
//                                         "SEQUENCE URI" for each that it heard
//   ring DIRECTORY COUNT                  rotates the ring of keys COUNT times; the ids of the
//                                         keys that it used, which it can still find
//   write DIRECTORY NAME                  writes a file; "acknowledged"
//   create DIRECTORY                      makes a database; "acknowledged"
#include <fcntl.h>
#include <poll.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "store/change_feed.h"
#include "store/durable_file.h"
#include "store/file_bell.h"
#include "store/file_key_ring.h"
#include "store/migrations.h"
#include "store/sqlite.h"

namespace lode {
namespace {

using Arguments = std::span<const std::string>;

constexpr int kLongestWait = 60'000;  // milliseconds without any news

[[noreturn]] void fail(const std::string& message) {
  std::cerr << message << std::endl;
  std::exit(1);
}

void require(const Status& status) {
  if (!status) fail(status.error().message);
}

template <class T>
T require(Result<T> result) {
  if (!result) fail(result.error().message);
  return *std::move(result);
}

void wait_for_line() {
  std::string line;
  if (!std::getline(std::cin, line)) fail("the input ended");
}

std::vector<Migration> steps() {
  auto steps = lode_migrations();
  steps.push_back(
      {static_cast<int>(steps.size()) + 1,
       {"CREATE TABLE counter (n BIGINT PRIMARY KEY)", "INSERT INTO counter (n) VALUES (0)"}});
  return steps;
}

std::unique_ptr<Database> open(const std::string& directory) {
  auto database = require(open_sqlite(
      {.path = directory + "/db", .busy_timeout = std::chrono::seconds(60), .forced_reruns = 1}));
  require(migrate(*database, steps()));
  return database;
}

void run_migrate(Arguments arguments) {
  open(arguments[0]);
  std::cout << "done" << std::endl;
}

void run_increment(Arguments arguments) {
  auto database = open(arguments[0]);
  for (int left = std::stoi(arguments[1]); left > 0; --left) {
    std::int64_t value = 0;
    require(database->transaction([&](Transaction& transaction) -> Status {
      auto rows = transaction.query("SELECT n FROM counter");
      if (!rows) return std::move(rows).error();
      value = rows->front().integer(0) + 1;
      auto done = transaction.execute("UPDATE counter SET n = $1", {value});
      return done ? Status() : Status(std::move(done).error());
    }));
    std::cout << value << std::endl;
  }
}

void run_converse(Arguments arguments) {
  auto database = open(arguments[0]);
  const FileBell bell(arguments[0] + "/bell");
  ChangeFeed feed(*database, bell);
  int heard = 0;
  const auto hear = [&](const FeedEntry& entry) {
    ++heard;
    std::cout << entry.sequence << ' ' << entry.change.uri << std::endl;
  };
  auto listener = require(FeedListener::open(feed, {hear, [] { fail("a gap"); }}));
  std::cout << "ready" << std::endl;
  wait_for_line();
  for (int i = 0; i < std::stoi(arguments[2]); ++i) {
    require(feed.publish({"said", arguments[1] + ":" + std::to_string(i)}));
    if (i % 7 == 0) require(listener->drain());
  }
  while (heard < std::stoi(arguments[3])) {
    pollfd wait{listener->descriptor(), POLLIN, 0};
    if (::poll(&wait, 1, kLongestWait) != 1) fail("nothing was heard");
    require(listener->drain());
  }
  std::cout << "all" << std::endl;
  wait_for_line();
  require(listener->drain());
}

void run_ring(Arguments arguments) {
  FileKeyRing ring(arguments[0] + "/keys");
  std::vector<std::string> used{ring.current().id};
  for (int left = std::stoi(arguments[1]); left > 0; --left) {
    require(ring.rotate());
    used.push_back(ring.current().id);
  }
  for (const auto& id : used) {
    if (ring.find(id)) std::cout << id << std::endl;
  }
}

void run_write(Arguments arguments) {
  const Descriptor directory(::open(arguments[0].c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  require(write_durably(directory.get(), arguments[1], "the new bytes"));
  std::cout << "acknowledged" << std::endl;
}

void run_create(Arguments arguments) {
  auto database = require(open_sqlite({.path = arguments[0] + "/state/db"}));
  std::cout << "acknowledged" << std::endl;
}

int run(const std::vector<std::string>& arguments) {
  struct Command {
    std::string_view name;
    std::size_t arguments;
    void (*run)(Arguments);
  };
  constexpr Command kCommands[]{{"migrate", 1, run_migrate},   {"increment", 2, run_increment},
                                {"converse", 4, run_converse}, {"ring", 2, run_ring},
                                {"write", 2, run_write},       {"create", 1, run_create}};
  for (const Command& command : kCommands) {
    if (arguments.empty() || arguments[0] != command.name) continue;
    if (arguments.size() != command.arguments + 1) break;
    wait_for_line();
    command.run(Arguments(arguments).subspan(1));
    return 0;
  }
  fail("usage: see the head of the source");
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) { return lode::run({argv + 1, argv + argc}); }
