#include "engine/exposure.h"

#include <algorithm>
#include <utility>

#include "engine/policy.h"

namespace lode {
namespace {

bool is_glob(std::string_view entry) {
  return entry.find_first_of("*?[{") != std::string_view::npos;
}

}  // namespace

Result<Exposure> Exposure::parse(const std::vector<std::string>& entries) {
  Exposure exposure;
  for (const auto& entry : entries) {
    std::string pattern = entry;
    if (!is_glob(entry)) {
      auto uri = Uri::parse(entry);
      if (!uri) return std::move(uri).error().in("resources.expose: " + entry);
      pattern = uri->text();
    }
    auto glob = Glob::parse(pattern);
    if (!glob) return std::move(glob).error().in("resources.expose: " + entry);
    exposure.globs_.push_back(std::move(*glob));
  }
  return exposure;
}

bool Exposure::shows(const Uri& uri) const {
  if (globs_.empty()) return true;
  const std::string_view text = uri.text().substr(0, uri.text().find('?'));
  return std::any_of(globs_.begin(), globs_.end(),
                     [&](const Glob& glob) { return glob.matches(text); });
}

bool Exposure::names(const Uri& uri) const {
  return std::any_of(globs_.begin(), globs_.end(),
                     [&](const Glob& glob) { return names_address(glob, uri); });
}

bool Exposure::shows_some(std::string_view uri_template) const {
  const auto fixed = uri_template.substr(0, uri_template.find('{'));
  return globs_.empty() || std::any_of(globs_.begin(), globs_.end(), [&](const Glob& glob) {
           const auto prefix = glob.literal_prefix();
           return prefix.starts_with(fixed) || fixed.starts_with(prefix);
         });
}

}  // namespace lode
