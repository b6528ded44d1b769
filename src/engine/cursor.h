// Where the next page of a list begins.
//
// A cursor names the list, the provider and the provider's own key of the last
// item, so that pages stay right while items come and go, and how many items
// the pages before had. That item may be one that the caller is not shown, so the
// server seals the cursor before it gives it out: to a client it is one opaque word.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lode {

enum class List : char {
  resources = 'r',
  templates = 'm',
  tools = 't',
  prompts = 'p',
  skills = 's',
  children = 'c',
};

struct Cursor {
  std::string provider;  // empty: from the start
  std::string key;
  std::size_t before = 0;

  std::string encode(List list) const;
  // Code::invalid if it is none of ours or belongs to another list.
  static Result<Cursor> decode(List list, std::string_view text);
};

}  // namespace lode
