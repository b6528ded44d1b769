// What a project says of itself first.
#pragma once

#include <string>
#include <string_view>

namespace lode {

// Whether a file of that name is a README that can be read as text.
bool is_readme(std::string_view name);

// The first paragraph of prose in Markdown, reStructuredText or plain text, as one
// line of at most so many bytes: without headings, badges and other images, lists,
// code, comments, directives and HTML tags; of links their words. Empty: there is
// none.
std::string first_paragraph(std::string_view text, std::size_t most = 500);

}  // namespace lode
