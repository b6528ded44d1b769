// UTF-8.
#pragma once

#include <string_view>

namespace lode {

bool valid_utf8(std::string_view bytes);

}  // namespace lode
