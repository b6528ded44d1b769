// Words that a preprocessor takes out before the compiler sees them.
//
// A grammar cannot know that BOOST_DECL or __THROW stands for nothing, or for an
// attribute: `BOOST_DECL void f() NOEXCEPT;` is a syntax error to it, and what is
// around it is lost. So the text that is parsed for an outline has spaces in place
// of words that look like macros and stand where only an attribute can:
//
//   (1) behind `)`, and before `;`, `{`, `:`, `=` or another such word, with their
//       arguments:           void f() __THROW __nonnull((1));
//   (2) before a type that a declaration begins with, or a constructor or destructor
//       that can be told:    BOOST_DECL std::string f();
//   (3) before the name of a type that is defined:
//                            class BOOST_VISIBLE error : public base {
//   (4) alone on a line between declarations:
//                            __BEGIN_DECLS
//
// A word looks like a macro if it has capitals, digits and underscores alone, or
// begins with two underscores and is no keyword of a compiler's.
#pragma once

#include <string>
#include <string_view>

namespace lode {

// The text with such words blanked, every byte and line where it was. Empty: there
// are none.
std::string without_macros(std::string_view text);

}  // namespace lode
