// Finds the id of a request that is too long to be taken in.
//
// The bytes pass by once and are not kept; what is kept is bounded by kIdBytes. An
// id is believed only where it cannot be read two ways: a member "id" of the
// outermost object, an integer or a string, once, beside a "method", with no
// escapes in the names of members. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lode {

class IdScan {
 public:
  static constexpr std::size_t kIdBytes = 256;

  void feed(std::string_view bytes);
  // After the last byte: the id as JSON text; empty: there is none to believe.
  std::string id() const;

 private:
  void take(char c);
  void take_in_string(char c);
  void open(char c);
  void close(char c);
  void end_name();
  void keep(char c);
  bool in_id() const { return depth_ == 1 && !naming_ && name_ == "id"; }

  std::string name_;  // of the member at depth 1; cut at its limit
  std::string id_;
  std::size_t depth_ = 0;
  bool begun_ = false;   // the outermost object
  bool naming_ = false;  // at depth 1: a name is next, or under way
  bool in_string_ = false;
  bool escaped_ = false;  // the next character is
  bool has_method_ = false;
  bool has_id_ = false;
  bool doubtful_ = false;
};

}  // namespace lode
