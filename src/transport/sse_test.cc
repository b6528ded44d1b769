#include "transport/sse.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

TEST(Sse, WritesAnEvent) {
  EXPECT_EQ(sse_text({"{}", "", {}}), "data: {}\n\n");
  EXPECT_EQ(sse_text({"", "3-0", 500ms}), "id: 3-0\nretry: 500\ndata: \n\n");
}

TEST(Sse, NoLineOfTheDataIsAField) {
  EXPECT_EQ(sse_text({"{\n}", "", {}}), "data: {\ndata: }\n\n");
  EXPECT_EQ(sse_text({"a\n\nid: 9\r\nevent: x\ry\n", "", {}}),
            "data: a\ndata: \ndata: id: 9\ndata: event: x\ndata: y\ndata: \n\n");
}

TEST(Sse, NoIdIsAField) {
  EXPECT_EQ(sse_text({"x", "1\ndata: y", {}}), "data: x\n\n");
  EXPECT_EQ(sse_text({"x", "1\0"s, {}}), "data: x\n\n");
}

}  // namespace
}  // namespace lode
