// Which function answers for an address: templates, found by one matcher.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/uri.h"
#include "base/uri_template.h"
#include "engine/content.h"

namespace lode {

struct Exchange;

// An address in its one spelling, and what the template found in it.
class Address {
 public:
  Address(const Uri& uri, TemplateMatch match) : uri_(uri), match_(std::move(match)) {}

  const Uri& uri() const { return uri_; }
  // The value of a variable, decoded once; null: the address does not give it.
  const std::string* find(std::string_view name) const { return match_.find(name); }
  // The same; empty if it is not given.
  const std::string& value(std::string_view name) const;
  // Names in the query that the template does not have, or that stand there twice.
  const std::vector<std::string>& extra() const { return match_.extra; }

 private:
  const Uri& uri_;
  TemplateMatch match_;
};

// A family of addresses (RFC 6570), as it is listed.
struct TemplateEntry {
  std::string uri_template;
  std::string name;
  std::string title;
  std::string description;
  std::string mime;  // only if all of them have the same
};

// A template with the function that answers for its addresses.
struct Route {
  using Read = std::function<Result<Outcome>(const Exchange& exchange, const Address& address)>;

  TemplateEntry entry;
  Read read;
  bool listed = true;  // else it answers and is in no list: an address without variables, say
};

// The routes of one provider. Where several match, literals beat variables, and
// {a} beats {+a}: at the first place where two templates differ. Constant; any thread.
class Routes {
 public:
  Routes() = default;
  // Code::invalid: a template is none, can match nothing, or cannot be told apart
  // from another, whatever its variables are called.
  static Result<Routes> make(const std::vector<Route>& routes);

  struct Found {
    const Route* route;  // of those it was made of
    TemplateMatch match;
  };
  std::optional<Found> find(const Uri& uri) const;
  // Nothing but the answer whether find() would.
  bool holds(const Uri& uri) const;

 private:
  struct Entry {
    UriTemplate pattern;
    std::string shape;  // sorts as the templates are tried
    const Route* route;
  };
  std::vector<Entry> entries_;
};

}  // namespace lode
