#include "engine/routes.h"

#include <gtest/gtest.h>

#include "engine/exchange.h"

namespace lode {
namespace {

std::vector<Route> routes_of(const std::vector<std::string>& templates) {
  std::vector<Route> routes;
  for (const auto& text : templates) routes.push_back({{text, "", "", "", ""}, {}});
  return routes;
}

// The template that answers, or nothing.
std::string found(const std::vector<Route>& routes, const std::string& uri) {
  const auto made = Routes::make(routes).value();
  const auto match = made.find(*Uri::parse(uri));
  return match ? match->route->entry.uri_template : "";
}

TEST(RoutesTest, LiteralsBeatVariablesAndOneSegmentBeatsMany) {
  const auto routes = routes_of({"x://{+rest}", "x://{a}/{b}", "x://{a}/one", "x://all/{b}",
                                 "x://all/one", "x://{+path}/end", "x://{a}{?q}"});
  EXPECT_EQ(found(routes, "x://all/one"), "x://all/one");
  EXPECT_EQ(found(routes, "x://all/two"), "x://all/{b}");
  EXPECT_EQ(found(routes, "x://some/one"), "x://{a}/one");
  EXPECT_EQ(found(routes, "x://some/two"), "x://{a}/{b}");
  EXPECT_EQ(found(routes, "x://some"), "x://{a}{?q}");
  EXPECT_EQ(found(routes, "x://some?q=1"), "x://{a}{?q}");
  EXPECT_EQ(found(routes, "x://a/b/c/end"), "x://{+path}/end");
  EXPECT_EQ(found(routes, "x://a/b/c"), "x://{+rest}");
  EXPECT_EQ(found(routes, "y://a"), "");
}

TEST(RoutesTest, HandsOverTheVariables) {
  const auto routes = routes_of({"x://{name}/{+path}{?after}"});
  const auto made = Routes::make(routes).value();
  const Uri uri = *Uri::parse("x://a/b/c%20d?after=%C3%A9&other=1");
  auto match = made.find(uri);
  ASSERT_TRUE(match);
  const Address address(uri, std::move(match->match));
  EXPECT_EQ(address.value("name"), "a");
  EXPECT_EQ(address.value("path"), "b/c d");
  EXPECT_EQ(address.value("after"), "\xC3\xA9");
  EXPECT_EQ(address.value("none"), "");
  EXPECT_EQ(address.find("none"), nullptr);
  EXPECT_EQ(address.extra(), std::vector<std::string>{"other"});
}

TEST(RoutesTest, RefusesWhatCannotBeToldApart) {
  for (const auto& pair : std::vector<std::vector<std::string>>{
           {"x://{a}", "x://{b}"},
           {"x://{a}{?q}", "x://{b}{?r}"},
           {"x://a/{+b}/c", "x://a/{+d}/c"},
       }) {
    const auto made = Routes::make(routes_of(pair));
    ASSERT_FALSE(made) << pair[0];
    EXPECT_NE(made.error().message.find("cannot be told apart"), std::string::npos);
  }
  EXPECT_TRUE(Routes::make(routes_of({"x://{a}", "x://{+a}", "x://{a}/b"})));
  EXPECT_FALSE(Routes::make(routes_of({"x://{a*}"})));
  EXPECT_FALSE(Routes::make(routes_of({"x://{a"})));
}

}  // namespace
}  // namespace lode
