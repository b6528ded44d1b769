// What to measure: a file of JSON that the run script writes.
//
//   {"transport": "http", "era": "modern", "repeats": 1, "settle": 0.5,
//    "servers": [{"name": "lode", "command": ["lode", "serve"], "url": "http://127.0.0.1:1/mcp"}],
//    "phases": [{"name": "read", "method": "resources/read", "params": {"uri": "file:///a/{{n}}"},
//                "expect": "text", "connections": 64, "first": 0, "vary": 1000,
//                "warm": {"requests": 300}, "measure": {"seconds": 0.5}, "only": ["lode"]}],
//    "streams": {"count": 10000, "uri": "file:///a", "changes": 3}}
//
// `{{n}}` runs through first … first + vary - 1 and is written as a path of two
// parts, 012/345. `expect` is text that every answer must hold, as JSON bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lode::bench {

enum class Transport : std::uint8_t { stdio, http };
enum class Era : std::uint8_t { legacy, modern };

// How long a round is: the first of the two that is not 0.
struct Amount {
  std::uint64_t requests = 0;
  double seconds = 0;
};

struct ServerSpec {
  std::string name;
  std::vector<std::string> command;
  std::string url;      // over HTTP
  std::string trigger;  // the file whose change it tells; empty: it is told by SIGUSR2
};

struct PhaseSpec {
  std::string name;
  std::string method;
  std::string params;  // an object, as JSON text
  std::string expect;
  std::size_t connections = 1;
  std::uint64_t first = 0;
  std::uint64_t vary = 1;
  Amount warm;
  Amount measure;
  std::vector<std::string> only;  // names of servers; empty: all

  bool concerns(const std::string& server) const;
};

struct StreamSpec {
  std::size_t count = 0;
  std::string uri;
  std::size_t changes = 1;
};

struct Plan {
  Transport transport = Transport::stdio;
  Era era = Era::modern;
  std::size_t repeats = 1;
  double settle = 0.5;  // seconds before memory is looked at
  std::vector<ServerSpec> servers;
  std::vector<PhaseSpec> phases;
  StreamSpec streams;
};

// Ends the program if the file is not such a plan.
Plan read_plan(const std::string& path);

// The figures are worthless: says why and ends the program with status 2.
[[noreturn]] void die(const std::string& why);

}  // namespace lode::bench
