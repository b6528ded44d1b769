// Numbers about the server in Prometheus' text form.
//
// Handles are made once; observing costs a few atomic operations. Labels are
// names from our own tables, never from a client. Any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "server/server.h"

namespace lode {

class Metrics {
 public:
  Metrics();
  ~Metrics();

  void observe(const Served& served);
  void observe(const Access& access);
  void observe(const TokensServed& tokens);

  // A value that is read when the metrics are asked for. Counters only grow.
  // REQUIRES: added before the first text(); read is cheap and thread-safe.
  void add_gauge(const std::string& name, const std::string& help, std::function<double()> read);
  void add_counter(const std::string& name, const std::string& help, std::function<double()> read);

  std::string text() const;

 private:
  void add_accesses();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lode
