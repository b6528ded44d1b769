#include "base/rest.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace lode {
namespace {

using namespace std::chrono_literals;

TEST(Rest, IsOverWithItsTime) {
  Rest rest(1ms);
  rest.take({});
}

TEST(Rest, EndsForAllWhenSomebodyWaits) {
  Rest rest(24h);
  std::jthread one([&](const std::stop_token& stop) { rest.take(stop); });
  std::jthread two([&](const std::stop_token& stop) { rest.take(stop); });
  rest.end();
  one.join();
  two.join();
  rest.take({});
}

TEST(Rest, EndsWhenAllIsToStop) {
  Rest rest(24h);
  std::jthread one([&](const std::stop_token& stop) { rest.take(stop); });
  one.request_stop();
  one.join();
  std::stop_source stopped;
  stopped.request_stop();
  rest.take(stopped.get_token());
}

}  // namespace
}  // namespace lode
