#include "plan.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>

namespace lode::bench {
namespace {

namespace json = boost::json;

std::string text(const json::object& object, std::string_view key, std::string fallback = "") {
  const auto* value = object.if_contains(key);
  return value == nullptr ? std::move(fallback) : json::value_to<std::string>(*value);
}

double number(const json::object& object, std::string_view key, double fallback) {
  const auto* value = object.if_contains(key);
  return value == nullptr ? fallback : value->to_number<double>();
}

std::uint64_t count(const json::object& object, std::string_view key, std::uint64_t fallback) {
  const auto* value = object.if_contains(key);
  return value == nullptr ? fallback : value->to_number<std::uint64_t>();
}

std::vector<std::string> texts(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  if (value == nullptr) return {};
  return json::value_to<std::vector<std::string>>(*value);
}

Amount amount(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  if (value == nullptr) return {};
  return {count(value->as_object(), "requests", 0), number(value->as_object(), "seconds", 0)};
}

ServerSpec server(const json::object& object) {
  return {text(object, "name"), texts(object, "command"), text(object, "url"),
          text(object, "trigger")};
}

PhaseSpec phase(const json::object& object) {
  PhaseSpec spec;
  spec.name = text(object, "name");
  spec.method = text(object, "method");
  const auto* params = object.if_contains("params");
  spec.params = params == nullptr ? "{}" : json::serialize(*params);
  spec.expect = text(object, "expect");
  spec.connections = std::max<std::uint64_t>(count(object, "connections", 1), 1);
  spec.first = count(object, "first", 0);
  spec.vary = std::max<std::uint64_t>(count(object, "vary", 1), 1);
  spec.warm = amount(object, "warm");
  spec.measure = amount(object, "measure");
  spec.only = texts(object, "only");
  return spec;
}

Plan plan(const json::object& object) {
  Plan made;
  made.transport = text(object, "transport") == "http" ? Transport::http : Transport::stdio;
  made.era = text(object, "era") == "legacy" ? Era::legacy : Era::modern;
  made.repeats = count(object, "repeats", 1);
  made.settle = number(object, "settle", made.settle);
  for (const auto& item : object.at("servers").as_array()) {
    made.servers.push_back(server(item.as_object()));
  }
  if (const auto* phases = object.if_contains("phases")) {
    for (const auto& item : phases->as_array()) made.phases.push_back(phase(item.as_object()));
  }
  if (const auto* streams = object.if_contains("streams")) {
    const auto& spec = streams->as_object();
    made.streams = {count(spec, "count", 0), text(spec, "uri"), count(spec, "changes", 1)};
  }
  return made;
}

}  // namespace

bool PhaseSpec::concerns(const std::string& server) const {
  return only.empty() || std::find(only.begin(), only.end(), server) != only.end();
}

Plan read_plan(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    return plan(json::parse(text).as_object());
  } catch (const std::exception& e) {
    die(path + " is no plan: " + e.what());
  }
}

void die(const std::string& why) {
  std::fprintf(stderr, "mcpbench: %s\n", why.c_str());
  std::exit(2);
}

}  // namespace lode::bench
