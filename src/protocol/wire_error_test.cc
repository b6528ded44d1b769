#include "protocol/wire_error.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(WireError, SaysNotFoundInTheWordsOfTheRevision) {
  const Error error = not_found("no such resource");
  const auto now = wire_error(error, kNewest, "x://a");
  EXPECT_EQ(now.code, -32602);
  EXPECT_EQ(now.data, R"({"uri":"x://a"})");
  const auto then = wire_error(error, Revision::v2025_06_18, "x://a");
  EXPECT_EQ(then.code, -32002);
  EXPECT_EQ(then.data, R"({"uri":"x://a"})");
  // A tool or a prompt is no resource.
  EXPECT_EQ(wire_error(error, Revision::v2025_06_18).code, -32602);
}

TEST(WireError, SaysWhenToTryAgain) {
  const auto busy =
      wire_error({Code::unavailable, "busy", std::chrono::milliseconds(250)}, kNewest);
  EXPECT_EQ(busy.code, -32603);
  EXPECT_EQ(busy.data, R"({"retryAfterMs":250})");
}

TEST(WireError, KeepsModernCodesFromLegacyClients) {
  EXPECT_EQ(missing_capability("{}", kNewest).code, -32021);
  EXPECT_EQ(missing_capability("{}", kNewestLegacy).code, -32603);
  EXPECT_EQ(method_not_found("m", kNewest).status, 404);
  EXPECT_EQ(method_not_found("m", kNewestLegacy).status, 200);
}

TEST(WireError, RepeatsNoCredentials) {
  EXPECT_EQ(wire_error(invalid("no"), kNewest, "x://a?b=1&token=secret").data,
            R"({"uri":"x://a?b=1&token=***"})");
}

TEST(WireError, RepeatsNoHalfCharacters) {
  std::string method(79, 'm');
  method += "äöü";
  EXPECT_EQ(method_not_found(method, kNewest).message,
            "no method \"" + std::string(79, 'm') + "…\" here");
}

TEST(WireError, DeniedStaysOutsideTheReservedRanges) {
  const auto denied = wire_error({Code::denied, "no", {}}, kNewest);
  EXPECT_EQ(denied.code, -31403);
}

}  // namespace
}  // namespace lode
