// A manual page as plain text: enough of roff for the words to come out.
#pragma once

#include <string>
#include <string_view>

namespace lode {

struct ManPage {
  std::string name;  // the section NAME, on one line: "ls - list directory contents"
  std::string text;  // all other sections
};

ManPage parse_man_page(std::string_view source);

}  // namespace lode
