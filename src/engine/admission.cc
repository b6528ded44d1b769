#include "engine/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/credentials.h"
#include "base/utf8.h"

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

// Of a file:/// address.
std::string path_of_file(const Uri& uri) {
  std::string path;
  for (const auto& segment : uri.segments()) {
    if (!segment.empty()) path.append("/").append(segment);
  }
  return path;
}

Error no_such_resource() { return not_found("no such resource"); }

Error no_parameter(std::string_view name) {
  return invalid(
      fmt::format("the address has no parameter \"{}\", or has it twice", visible(name)));
}

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

bool Exposure::shows_all(std::string_view begin) const {
  const auto covers = [&](const Glob& glob) {
    const auto prefix = glob.literal_prefix();
    return begin.starts_with(prefix) && glob.text() == std::string(prefix) + "**";
  };
  return (globs_.empty() || std::ranges::any_of(globs_, covers)) &&
         (!narrowed_ || std::ranges::any_of(narrower_, covers));
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
  const bool by_name = action == Action::subscribe;
  const auto answer = by_name ? Catalog::find_answer(*member, target.uri) : std::nullopt;
  if (by_name && !answer) return no_such_resource();
  target.file = resources->file_behind(target.uri);
  if (by_name && target.file && target.file->looked_up) target.file.reset();
  const bool permitted = decide(who, action, target.uri, target.file, by_name);
  if (!permitted && decide(who, Action::list, target.uri, target.file, by_name)) {
    return Error{
        Code::denied, fmt::format("not permitted: {} this resource", to_string(action)), {}};
  }
  if (!by_name) {
    if (!permitted) return no_such_resource();
    return target;
  }
  if (auto heard = resources->watchable(target.uri); !heard) return std::move(heard).error();
  // Changes are told by address: one with a word too many would never be told.
  if (!answer->match.extra.empty()) return no_parameter(answer->match.extra.front());
  return target;
}

std::optional<Uri> Admission::canonical(std::string_view text) const {
  auto uri = catalog_->parse(text);
  if (!uri) return std::nullopt;
  const Member* member = catalog_->find(*uri);
  Resources* resources = member == nullptr ? nullptr : member->provider->resources();
  return resources == nullptr ? std::move(*uri) : resources->canonical(*uri);
}

// Whether a rule may deny an address at which the provider shows files.
bool Admission::denies_some_of(const Manifest& manifest) const {
  return std::ranges::any_of(manifest.shows_files_at,
                             [&](const std::string& begin) { return policy_->may_deny(begin); });
}

std::vector<Uri> Admission::shown_at(std::string_view path) const {
  std::vector<Uri> out;
  for (const auto& member : catalog_->members()) {
    if (!denies_some_of(*member->manifest)) continue;
    for (const auto& address : member->provider->shown_at(path)) {
      if (auto uri = Uri::parse(address)) out.push_back(std::move(*uri));
    }
  }
  return out;
}

bool Admission::is_denied_elsewhere(const Principal& who, Action action,
                                    std::string_view path) const {
  return std::ranges::any_of(shown_at(path),
                             [&](const Uri& uri) { return policy_->denies(who, action, uri); });
}

bool Admission::may_have(const Principal& who, const Uri& uri, const Contents& contents) const {
  if (!exposure_->shows(uri) || !policy_->permits(who, Action::read, uri)) return false;
  if (contents.files.empty() || !policy_->tells_files_apart()) return true;
  return std::ranges::all_of(contents.files, [&](const std::string& address) {
    const auto file = Uri::parse(address);
    // Of other addresses that show the file, denies count.
    const bool is_the_file = file && contents.is_the_file && file->scheme() == "file";
    return file && passes(who, Action::read, *file, is_the_file);
  });
}

bool Admission::is_current(const Contents& contents) const {
  return !contents.decided_by || contents.decided_by == policy_;
}

bool Admission::still_answers(const Uri& uri, const Contents& contents) const {
  if (contents.catalog_revision == catalog_->revision()) return true;
  const Member* member = catalog_->find(uri);
  return member != nullptr && contents.made_by.lock().get() == member;
}

void Admission::note_provider(const Member& member, Contents& contents) const {
  contents.made_by = catalog_->share(member);
  contents.catalog_revision = catalog_->revision();
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
  // Who was not asked under this policy is asked under another.
  if (file.is_the_file) contents.decided_by = policy_;
  std::vector<std::string> others = file.also;
  for (const auto& address : contents.files) {
    const auto uri = Uri::parse(address);
    if (!file.is_the_file || !uri || uri->scheme() != "file") continue;
    for (const auto& other : shown_at(path_of_file(*uri))) others.emplace_back(other.text());
  }
  std::ranges::move(others, std::back_inserter(contents.files));
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
    if (!file->is_the_file) return;
    for (auto& other : shown_at(path)) held.push_back({std::move(other), false});
  };
  if (file) add(file->path);
  if (file && real_path_) add(real_path_(file->path));
  for (const auto& address : file ? file->also : std::vector<std::string>{}) {
    if (auto other = Uri::parse(address)) held.push_back({std::move(*other), false});
  }
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
           (permits_file(who, Action::list, cause.file, cause.real, true) &&
            permits_file(who, Action::read, cause.file, cause.real, true));
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

bool Admission::may_all(const Principal& who, Action action, std::string_view begin,
                        std::string_view directory) const {
  const auto untouched = [&](std::string_view path) {
    const auto uri = Uri::parse(file_uri(path));
    return uri && !policy_->denies_some(who, action, uri->text());
  };
  ++asked_;
  if (!exposure_->shows_all(begin) || !policy_->permits_all(who, action, begin)) return false;
  if (!policy_->has_denies()) return true;
  return untouched(directory) && (!real_path_ || untouched(real_path_(directory)));
}

bool Admission::refuses(const Principal& who, Action action, std::string_view path,
                        bool real) const {
  return !counted(!policy_->has_denies() ||
                  permits_file(who, action, FileBehind{std::string(path), false}, real, true));
}

bool Admission::counted(bool permitted) const {
  ++asked_;
  if (!permitted) ++refused_;
  return permitted;
}

bool Admission::decide(const Principal& who, Action action, const Uri& uri,
                       const std::optional<FileBehind>& file, bool real) const {
  if (!policy_->permits(who, action, uri)) return false;
  if (!file) return uri.scheme() != "file" || !is_denied_elsewhere(who, action, path_of_file(uri));
  return !policy_->tells_files_apart() || permits_file(who, action, *file, real, file->is_the_file);
}

// The name under which the file is known, and the one that it really has.
bool Admission::permits_file(const Principal& who, Action action, const FileBehind& file, bool real,
                             bool elsewhere) const {
  const auto permits = [&](std::string_view path) {
    const auto uri = Uri::parse(file_uri(path));
    return uri && passes(who, action, *uri, file.is_the_file) &&
           (!elsewhere || !is_denied_elsewhere(who, action, path));
  };
  const auto denied = [&](const std::string& address) {
    const auto uri = Uri::parse(address);
    return !uri || policy_->denies(who, action, *uri);
  };
  if (!permits(file.path) || std::ranges::any_of(file.also, denied)) return false;
  if (real || !real_path_) return true;
  const std::string behind_links = real_path_(file.path);
  return behind_links == file.path || permits(behind_links);
}

bool Admission::passes(const Principal& who, Action action, const Uri& file,
                       bool is_the_file) const {
  return is_the_file ? policy_->permits(who, action, file) : !policy_->denies(who, action, file);
}

}  // namespace lode
