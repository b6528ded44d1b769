#include "engine/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/credentials.h"

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

// Puts what an entry stands for behind the others.
Status add_entry(const std::string& entry, std::vector<Glob>& globs) {
  auto glob = parse_entry(entry);
  if (!glob) return std::move(glob).error();
  auto both = with_covered(std::move(*glob));
  if (!both) return std::move(both).error();
  std::ranges::move(*both, std::back_inserter(globs));
  return {};
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

Error no_such_resource() { return not_found("no such resource"); }

}  // namespace

// ---- exposure ----

Result<Exposure> Exposure::parse(const std::vector<std::string>& entries) {
  Exposure exposure;
  for (const auto& entry : entries) {
    if (auto added = add_entry(entry, exposure.globs_); !added) {
      return std::move(added).error().in("resources.expose: " + entry);
    }
  }
  return exposure;
}

void Exposure::narrow(const std::vector<std::string>& entries) {
  for (const auto& entry : entries) {
    narrowed_ = true;
    static_cast<void>(add_entry(entry, narrower_));
  }
}

bool Exposure::shows(const Uri& uri) const {
  if (globs_.empty() && !narrowed_) return true;
  const auto text = uri.text_without_query();
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

// ---- admission ----

Result<Admission::Target> Admission::admit(const Principal& who, Action action,
                                           std::string_view text) const {
  auto uri = catalog_->parse(text);
  if (!uri) return std::move(uri).error();
  if (uri->has_query() && has_credential(uri->query())) return credential_in_query();
  const Member* member = catalog_->find(*uri);
  Resources* resources = member == nullptr ? nullptr : member->provider->resources();
  if (resources == nullptr) return no_such_resource();
  Target target{resources->canonical(*uri), member, std::nullopt};
  if (!exposure_->shows(target.uri)) return no_such_resource();
  target.file = resources->file_behind(target.uri);
  const bool by_name = action == Action::subscribe;
  if (by_name && target.file && target.file->looked_up) target.file.reset();
  if (decide(who, action, target.uri, target.file, by_name)) return target;
  if (!decide(who, Action::list, target.uri, target.file, by_name)) return no_such_resource();
  return Error{Code::denied, fmt::format("not permitted: {} this resource", to_string(action)), {}};
}

bool Admission::may_have(const Principal& who, const Uri& uri, const Contents& contents) const {
  if (!exposure_->shows(uri) || !policy_->permits(who, Action::read, uri)) return false;
  if (contents.files.empty() || !policy_->tells_files_apart()) return true;
  return std::ranges::all_of(contents.files, [&](const std::string& address) {
    const auto file = Uri::parse(address);
    return file && passes(who, Action::read, *file, contents.is_the_file);
  });
}

bool Admission::is_current(const Contents& contents) const {
  return !contents.decided_by || contents.decided_by == policy_;
}

void Admission::note_files(const FileBehind& file, Contents& contents) const {
  contents.is_the_file = file.is_the_file;
  const auto add = [&](std::string_view path) {
    const auto uri = Uri::parse(file_uri(path));
    const std::string text(uri ? uri->text() : "");
    if (std::ranges::find(contents.files, text) == contents.files.end()) {
      contents.files.push_back(text);
    }
  };
  const bool opened = !contents.files.empty();  // the provider has said where
  add(file.path);
  if (real_path_ && !opened) add(real_path_(file.path));
}

// Nothing: there is no such prompt.
std::optional<std::vector<Admission::Held>> Admission::held_against_prompt(const Uri& uri) const {
  const auto name = prompt_name(uri);
  const auto route = name ? catalog_->find_prompt(*name) : std::nullopt;
  const auto listed = route ? prompt_uri(route->prompt.name) : uri;
  if (!route || !listed) return std::nullopt;
  std::vector<Held> held{{*listed}};
  if (const auto source = route->member->provider->prompts()->source(*name)) {
    std::ranges::move(held_against(*source), std::back_inserter(held));
  }
  return held;
}

std::vector<Admission::Held> Admission::held_against(const Uri& uri) const {
  if (auto held = held_against_prompt(uri)) return std::move(*held);
  const Member* member = catalog_->find(uri);
  Resources* resources = member == nullptr ? nullptr : member->provider->resources();
  std::vector<Held> held{{resources == nullptr ? uri : resources->canonical(uri)}};
  const auto file = resources == nullptr ? std::nullopt : resources->file_behind(held[0].uri);
  const auto add = [&](std::string_view path) {
    auto address = Uri::parse(file_uri(path));
    const auto same = [&](const Held& each) { return each.uri == *address; };
    if (address && std::ranges::none_of(held, same)) {
      held.push_back({std::move(*address), file->is_the_file});
    }
  };
  if (file) add(file->path);
  if (file && real_path_) add(real_path_(file->path));
  return held;
}

bool Admission::sees(const Principal& who, std::string_view listed) const {
  const auto uri = catalog_->parse(listed);
  return uri ? exposure_->shows(*uri) && may(who, Action::list, *uri) : offers_some(who, listed);
}

// All addresses of a template that has variables in its query alone are one to the rules.
bool Admission::offers_some(const Principal& who, std::string_view uri_template) const {
  const auto begin = uri_template.substr(0, uri_template.find('{'));
  const auto rest = uri_template.substr(begin.size());
  const bool is_one = rest.empty() || (rest.starts_with("{?") && rest.find('}') + 1 == rest.size());
  if (const auto uri = catalog_->parse(begin); is_one && uri) {
    return exposure_->shows(*uri) && may(who, Action::list, *uri) && may(who, Action::read, *uri);
  }
  return exposure_->shows_some(uri_template) &&
         counted(policy_->permits_some(who, Action::list, begin) &&
                 policy_->permits_some(who, Action::read, begin));
}

// Who listens to what changed itself need not be one to whom it is listed.
bool Admission::explains(const Principal& who, const Change& change, const Cause& cause) const {
  if (cause.uri.empty()) {
    return !policy_->tells_files_apart() ||
           (permits_file(who, Action::list, cause.file, cause.real) &&
            permits_file(who, Action::read, cause.file, cause.real));
  }
  const auto uri = catalog_->parse(cause.uri);
  const auto action = cause.uri == change.uri ? Action::subscribe : Action::list;
  const auto file = cause.file.path.empty() ? std::nullopt : std::optional(cause.file);
  return uri && exposure_->shows(*uri) && decide(who, action, *uri, file, cause.real);
}

bool Admission::may_hear(const Principal& who, const Change& change) const {
  const auto& listed = change.listed;
  const auto& because = change.because;
  return (listed.empty() ||
          std::ranges::any_of(listed, [&](const std::string& each) { return sees(who, each); })) &&
         (because.empty() || std::ranges::any_of(because, [&](const Cause& each) {
            return explains(who, change, each);
          }));
}

bool Admission::may_hear_at(const Principal& who, const Change& change, const Uri& uri) const {
  if (!exposure_->shows(uri)) return false;
  if (!change.by_name || !policy_->tells_files_apart()) return may(who, Action::subscribe, uri);
  const Member* member = catalog_->find(uri);
  Resources* resources = member == nullptr ? nullptr : member->provider->resources();
  const auto file = resources == nullptr ? std::nullopt : resources->file_behind(uri);
  return counted(decide(who, Action::subscribe, uri, file, true));
}

bool Admission::may(const Principal& who, Action action, const Uri& uri) const {
  const Member* member = catalog_->find(uri);
  Resources* resources = member == nullptr ? nullptr : member->provider->resources();
  if (resources == nullptr) return counted(decide(who, action, uri, std::nullopt));
  const Uri one = resources->canonical(uri);
  if (!policy_->tells_files_apart()) return counted(policy_->permits(who, action, one));
  return counted(decide(who, action, one, resources->file_behind(one)));
}

bool Admission::may(const Principal& who, Action action, const Uri& uri,
                    const FileBehind& file) const {
  return counted(decide(who, action, uri, file.path.empty() ? std::nullopt : std::optional(file)));
}

bool Admission::refuses(const Principal& who, Action action, std::string_view path,
                        bool real) const {
  return !counted(!policy_->has_denies() ||
                  permits_file(who, action, FileBehind{std::string(path), false}, real));
}

bool Admission::counted(bool permitted) const {
  ++asked_;
  if (!permitted) ++refused_;
  return permitted;
}

bool Admission::decide(const Principal& who, Action action, const Uri& uri,
                       const std::optional<FileBehind>& file, bool real) const {
  if (!policy_->permits(who, action, uri)) return false;
  return !file || !policy_->tells_files_apart() || permits_file(who, action, *file, real);
}

// The name under which the file is known, and the one that it really has.
bool Admission::permits_file(const Principal& who, Action action, const FileBehind& file,
                             bool real) const {
  const auto permits = [&](std::string_view path) {
    const auto uri = Uri::parse(file_uri(path));
    return uri && passes(who, action, *uri, file.is_the_file);
  };
  if (!permits(file.path)) return false;
  if (real || !real_path_) return true;
  const std::string behind_links = real_path_(file.path);
  return behind_links == file.path || permits(behind_links);
}

bool Admission::passes(const Principal& who, Action action, const Uri& file,
                       bool is_the_file) const {
  return is_the_file ? policy_->permits(who, action, file) : !policy_->denies(who, action, file);
}

}  // namespace lode
