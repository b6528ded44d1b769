// What a caller may do: the one place that is asked, by the engine and, through
// Exchange, by providers.
//
// An address has three things that rules speak of: its own text, in its one
// spelling; the file that it shows, if it shows one; and the path that this file
// really has, after all links. A rule that refuses any of them refuses the address,
// whatever else allows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/principal.h"
#include "base/uri.h"
#include "engine/action.h"

namespace lode {

// The file that an address shows.
struct FileBehind {
  std::string path{};  // absolute; empty: there is none
  // The address is another form of the file itself: what is not allowed at the
  // file's own address is not allowed here either. Else only what is refused there.
  bool is_the_file = false;
  // The address does not say which file it is: that was looked up, and what there is decides.
  bool looked_up = false;
  // Other addresses, each in its one spelling, that show the same: what is denied there is
  // denied here.
  std::vector<std::string> also{};
};

class Gate {
 public:
  virtual ~Gate() = default;

  // The address may be spelled in any way.
  virtual bool may(const Principal& who, Action action, const Uri& uri) const = 0;
  // The same, for who knows the address in its one spelling and the file behind it:
  // asks no provider, so that a lock may be held.
  virtual bool may(const Principal& who, Action action, const Uri& uri,
                   const FileBehind& file) const = 0;
  // An address as somebody spells it, of whichever family it is.
  virtual Result<Uri> parse(std::string_view text) const = 0;
  // Whether the address is offered to anybody at all. The same spelling.
  virtual bool exposes(const Uri& uri) const = 0;
  // Of a template: whether any of its addresses is, and may be listed and read by the
  // caller, as far as what they begin with tells.
  virtual bool offers_some(const Principal& who, std::string_view uri_template) const = 0;
  // Whether the caller certainly may do this with every address that begins so, each of which
  // shows a file below the directory (absolute), and whether all of them are exposed. False:
  // each has to be asked about. So what counts many need not ask about every one of them.
  virtual bool may_all(const Principal& /*who*/, Action /*action*/, std::string_view /*begin*/,
                       std::string_view /*directory*/) const {
    return false;
  }
  // Whether a rule refuses the file or directory (absolute), whatever others allow.
  // real: there are no links in the path.
  virtual bool refuses(const Principal& who, Action action, std::string_view path,
                       bool real) const = 0;
};

// For who may do everything: the user's own commands, and tests.
class OpenGate final : public Gate {
 public:
  bool may(const Principal&, Action, const Uri&) const override { return true; }
  bool may(const Principal&, Action, const Uri&, const FileBehind&) const override { return true; }
  Result<Uri> parse(std::string_view text) const override { return Uri::parse(text); }
  bool exposes(const Uri&) const override { return true; }
  bool offers_some(const Principal&, std::string_view) const override { return true; }
  bool may_all(const Principal&, Action, std::string_view, std::string_view) const override {
    return true;
  }
  bool refuses(const Principal&, Action, std::string_view, bool) const override { return false; }
};

}  // namespace lode
