#include "store/database.h"

#include <array>

namespace lode {
namespace {

const std::string& empty() {
  static const std::string kEmpty;
  return kEmpty;
}

template <class T>
const T* column_as(const SqlValues& values, std::size_t column) {
  return column < values.size() ? std::get_if<T>(&values[column]) : nullptr;
}

}  // namespace

bool Row::is_null(std::size_t column) const {
  return column >= values_.size() || std::holds_alternative<std::monostate>(values_[column]);
}

std::int64_t Row::integer(std::size_t column) const {
  const auto* value = column_as<std::int64_t>(values_, column);
  return value != nullptr ? *value : 0;
}

double Row::real(std::size_t column) const {
  if (const auto* value = column_as<double>(values_, column)) return *value;
  return static_cast<double>(integer(column));
}

const std::string& Row::text(std::size_t column) const {
  const auto* value = column_as<std::string>(values_, column);
  return value != nullptr ? *value : empty();
}

const std::string& Row::blob(std::size_t column) const {
  const auto* value = column_as<Blob>(values_, column);
  return value != nullptr ? value->bytes : empty();
}

std::string Dialect::expand(std::string_view sql) const {
  std::string expanded(sql);
  const std::array<std::pair<std::string_view, std::string_view>, 3> names{
      {{"{identity}", identity}, {"{integer_key}", integer_key}, {"{blob}", blob}}};
  for (const auto& [name, spelling] : names) {
    for (auto at = expanded.find(name); at != std::string::npos;
         at = expanded.find(name, at + spelling.size())) {
      expanded.replace(at, name.size(), spelling);
    }
  }
  return expanded;
}

}  // namespace lode
