#include <gtest/gtest.h>

#include "engine/admission.h"

namespace lode {
namespace {

Uri uri(std::string_view text) { return *Uri::parse(text); }

TEST(Exposure, NarrowedShowsOnlyWhatBothListsHold) {
  auto exposure = *Exposure::parse({"file:///w/**"});
  exposure.narrow({"file:///w/docs/**", "lode://search"});
  EXPECT_TRUE(exposure.shows(uri("file:///w/docs/a")));
  EXPECT_FALSE(exposure.shows(uri("file:///w/src/a"))) << "outside the narrower list";
  EXPECT_FALSE(exposure.shows(uri("lode://search"))) << "outside the wider list";
  EXPECT_TRUE(exposure.shows_some("file:///{+path}"));
  EXPECT_FALSE(exposure.shows_some("lode://search{?q}"));
}

TEST(Exposure, WhatIsBelowCoversTheDirectoryToo) {
  auto exposure = *Exposure::parse({"file:///w/**", "{a://b/**,a://c}"});
  EXPECT_TRUE(exposure.shows(uri("file:///w")));
  EXPECT_TRUE(exposure.shows(uri("a://b")));
  EXPECT_FALSE(exposure.shows(uri("file:///")));
  exposure.narrow({"file:///w/docs/**"});
  EXPECT_TRUE(exposure.shows(uri("file:///w/docs")));
  EXPECT_FALSE(exposure.shows(uri("file:///w")));
}

TEST(Exposure, NarrowingEverythingLeavesTheList) {
  Exposure exposure;
  exposure.narrow({"a://b"});
  EXPECT_TRUE(exposure.shows(uri("a://b?q=1")));
  EXPECT_FALSE(exposure.shows(uri("a://c")));
}

TEST(Exposure, NarrowingNamesNothing) {
  Exposure exposure;
  exposure.narrow({"a://b"});
  EXPECT_FALSE(exposure.names(uri("a://b")));
}

TEST(Exposure, AnEmptyListNarrowsNothingAndAWrongOneHidesAll) {
  Exposure exposure;
  exposure.narrow({});
  EXPECT_TRUE(exposure.shows(uri("a://b")));
  exposure.narrow({"no address"});
  EXPECT_FALSE(exposure.shows(uri("a://b")));
}

}  // namespace
}  // namespace lode
