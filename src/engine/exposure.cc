#include "engine/exposure.h"

#include <algorithm>
#include <utility>

#include "engine/policy.h"

namespace lode {
namespace {

bool is_glob(std::string_view entry) {
  return entry.find_first_of("*?[{") != std::string_view::npos;
}

Result<Glob> parse_entry(const std::string& entry) {
  if (is_glob(entry)) return Glob::parse(entry);
  auto uri = Uri::parse(entry);
  if (!uri) return std::move(uri).error();
  return Glob::parse(uri->text());
}

bool any_matches(const std::vector<Glob>& globs, std::string_view text) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const Glob& glob) { return glob.matches(text); });
}

// fixed: what all addresses in question begin with.
bool any_may_match(const std::vector<Glob>& globs, std::string_view fixed) {
  return std::any_of(globs.begin(), globs.end(), [&](const Glob& glob) {
    const auto prefix = glob.literal_prefix();
    return prefix.starts_with(fixed) || fixed.starts_with(prefix);
  });
}

}  // namespace

Result<Exposure> Exposure::parse(const std::vector<std::string>& entries) {
  Exposure exposure;
  for (const auto& entry : entries) {
    auto glob = parse_entry(entry);
    if (!glob) return std::move(glob).error().in("resources.expose: " + entry);
    exposure.globs_.push_back(std::move(*glob));
  }
  return exposure;
}

void Exposure::narrow(const std::vector<std::string>& entries) {
  for (const auto& entry : entries) {
    narrowed_ = true;
    if (auto glob = parse_entry(entry)) narrower_.push_back(std::move(*glob));
  }
}

bool Exposure::shows(const Uri& uri) const {
  if (globs_.empty() && !narrowed_) return true;
  const auto whole = uri.text();
  const auto text =
      uri.has_query() ? whole.substr(0, whole.size() - uri.query().size() - 1) : whole;
  return (globs_.empty() || any_matches(globs_, text)) &&
         (!narrowed_ || any_matches(narrower_, text));
}

bool Exposure::names(const Uri& uri) const {
  return std::any_of(globs_.begin(), globs_.end(),
                     [&](const Glob& glob) { return names_address(glob, uri); });
}

bool Exposure::shows_some(std::string_view uri_template) const {
  const auto fixed = uri_template.substr(0, uri_template.find('{'));
  return (globs_.empty() || any_may_match(globs_, fixed)) &&
         (!narrowed_ || any_may_match(narrower_, fixed));
}

}  // namespace lode
