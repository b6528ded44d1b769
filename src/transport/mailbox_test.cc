#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <thread>
#include <vector>

#include "transport/http_reply.h"

namespace lode {
namespace {

TEST(Mailbox, RunsWorkInTheOrderItCame) {
  boost::asio::io_context io;
  auto mailbox = std::make_shared<Mailbox>(io);
  std::vector<int> order;
  boost::asio::post(io, [&] {
    mailbox->run([&] { order.push_back(1); });
    std::thread([&] { mailbox->run([&] { order.push_back(3); }); }).join();
    order.push_back(2);
    mailbox->run([&] { order.push_back(4); });
    mailbox->later([&] { mailbox->run([&] { order.push_back(5); }); });
  });
  io.run();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST(Mailbox, TakesWorkForAnIoContextThatRunsLater) {
  boost::asio::io_context io;
  auto mailbox = std::make_shared<Mailbox>(io);
  int ran = 0;
  for (int i = 0; i < 1000; ++i) mailbox->run([&] { ++ran; });
  EXPECT_EQ(ran, 0);
  io.run();
  EXPECT_EQ(ran, 1000);
}

TEST(Mailbox, DropsWorkOnceClosed) {
  boost::asio::io_context io;
  auto mailbox = std::make_shared<Mailbox>(io);
  int ran = 0;
  mailbox->run([&] { ++ran; });
  mailbox->close();
  mailbox->later([&] { ++ran; });
  io.run();
  EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace lode
