#include "protocol/id_scan.h"

#include "base/json.h"

namespace lode {
namespace {

constexpr std::size_t kNameBytes = 16;  // longer than any name that matters

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

void IdScan::feed(std::string_view bytes) {
  for (char c : bytes) {
    if (doubtful_) return;
    in_string_ ? take_in_string(c) : take(c);
  }
}

void IdScan::keep(char c) {
  id_ += c;
  doubtful_ |= id_.size() > kIdBytes;
}

void IdScan::take_in_string(char c) {
  if (in_id()) keep(c);
  const bool ends = c == '"' && !escaped_;
  const bool escapes = c == '\\' && !escaped_;
  escaped_ = escapes;
  if (ends) {
    in_string_ = false;
    if (naming_ && depth_ == 1) end_name();
  } else if (naming_ && depth_ == 1) {
    doubtful_ |= escapes;
    if (name_.size() < kNameBytes) name_ += c;
  }
}

void IdScan::end_name() {
  if (name_ == "id") {
    doubtful_ |= has_id_;
    has_id_ = true;
  }
  has_method_ |= name_ == "method";
}

void IdScan::open(char c) {
  if (depth_ == 0) {
    doubtful_ |= begun_ || c != '{';
    begun_ = naming_ = true;
    name_.clear();
  }
  doubtful_ |= in_id();
  ++depth_;
}

void IdScan::close(char c) {
  doubtful_ |= depth_ == 0 || (depth_ == 1 && c != '}');
  if (depth_ > 0) --depth_;
}

void IdScan::take(char c) {
  if (is_space(c)) {
    if (in_id() && !id_.empty()) keep(c);  // it parts what is no single value
    return;
  }
  if (c == '{' || c == '[') return open(c);
  if (c == '}' || c == ']') return close(c);
  if (depth_ == 0) {
    doubtful_ = true;
    return;
  }
  if (c == '"') in_string_ = true;
  if (depth_ > 1) return;
  if (c == ',') {
    naming_ = true;
    name_.clear();
  } else if (c == ':') {
    naming_ = false;
  } else if (in_id()) {
    keep(c);
  }
}

std::string IdScan::id() const {
  if (doubtful_ || depth_ != 0 || !has_method_ || !has_id_) return {};
  const auto value = JsonDocument::parse(id_);
  if (!value) return {};
  return value->root().integer() || value->root().string() ? value->root().text() : std::string();
}

}  // namespace lode
