#include "engine/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <span>
#include <utility>

#include "base/backup_name.h"
#include "base/grants.h"
#include "base/nearest.h"
#include "engine/provider.h"

namespace lode {
namespace {

constexpr std::string_view kEveryone = "*";

bool contains(const auto& range, const auto& value) {
  return std::find(range.begin(), range.end(), value) != range.end();
}

// Addresses come in one spelling: what is written in another matches none of them.
Status fits_spelling(std::string_view glob) {
  const auto colon = glob.find(':');
  const auto scheme = glob.substr(0, std::min(colon, glob.size()));
  const bool literal = scheme.find_first_of("*?[{\\") == std::string_view::npos;
  if (literal && (colon == std::string_view::npos || scheme.find('/') != std::string_view::npos)) {
    return invalid("an address begins with a scheme: file:///home/me/project/**");
  }
  if (literal && std::ranges::any_of(scheme, [](char c) { return c >= 'A' && c <= 'Z'; })) {
    return invalid("schemes are written in lower case");
  }
  for (auto at = glob.find('%'); at != std::string_view::npos; at = glob.find('%', at + 1)) {
    const auto digits = glob.substr(at + 1, 2);
    const bool lower = std::ranges::any_of(digits, [](char c) { return c >= 'a' && c <= 'f'; });
    const auto byte = decode(glob.substr(at, 3));
    if (lower || !byte || is_unreserved(byte->front())) {
      return invalid(
          fmt::format("no address has \"{}\": %XX is written in upper case, and letters, "
                      "digits and -._~ are written as they are",
                      glob.substr(at, 3)));
    }
  }
  if (!glob.starts_with("file:")) return {};
  const auto path = glob.substr(std::min(glob.size(), std::string_view("file://").size()));
  if (!glob.starts_with("file:///") && path.find_first_of("*{") != 0) {
    return invalid("addresses of files begin with file:///");
  }
  if (path.find("//") != std::string_view::npos || path.find("/./") != std::string_view::npos ||
      path.find("/../") != std::string_view::npos || (path.size() > 1 && path.ends_with('/'))) {
    return invalid(
        "addresses of files have no empty, \".\" or \"..\" segment, nor a slash at the end");
  }
  if (path.find('@') != std::string_view::npos) return invalid("in addresses of files @ is %40");
  return {};
}

// A glob that can match no address is a mistake, and if it denies, a dangerous
// one.
Status fits_addresses(std::string_view glob) {
  const auto mark = glob.find('?');
  const bool escaped = mark != std::string_view::npos && mark > 0 && glob[mark - 1] == '\\';
  if (escaped ||
      (mark != std::string_view::npos && glob.find('=', mark) != std::string_view::npos)) {
    return invalid("rules are held against addresses without their query");
  }
  const bool plain = std::all_of(glob.begin(), glob.end(), [](char c) {
    return c > ' ' && c < '\x7f' && std::string_view("\"<>`|").find(c) == std::string_view::npos;
  });
  if (!plain) return invalid("no address has such a character; it is written %XX there");
  return fits_spelling(glob);
}

constexpr std::string_view kFiles = "file:///";
constexpr std::string_view kBelow = "/**";

// "x" of "x/**", and "{x,y}" of "{x/**,y/**}"; empty: there is nothing to cover.
std::string covered(std::string_view glob) {
  std::string itself;
  for (std::size_t at = 0; at < glob.size();) {
    const auto found = std::min(glob.find(kBelow, at), glob.size());
    itself.append(glob.substr(at, found - at));
    at = std::min(found + kBelow.size(), glob.size());
    const bool ends = at == glob.size() || glob[at] == ',' || glob[at] == '}';
    if (found < glob.size() && !ends) itself.append(kBelow);
  }
  const bool bare = itself.ends_with('/') || itself.ends_with(':');
  return bare || itself == glob ? "" : itself;
}

// The addresses that are directories of files, and how many bytes of them no directory has.
constexpr std::pair<std::string_view, std::size_t> kTrees[] = {
    {kFiles, kFiles.size()},
    {"skill://", std::string_view("skill://").size()},
    {"mcp://backlog/resources/", std::string_view("mcp://backlog/").size()},
    {"mcp://backlog/artifacts/", std::string_view("mcp://backlog/").size()},
};

// The directory that a file's address is in; empty: it is at the top, or of no file.
std::string_view directory_of(std::string_view address) {
  const auto tree = std::ranges::find_if(
      kTrees, [&](const auto& each) { return address.starts_with(each.first); });
  const auto slash = address.rfind('/');
  return tree == std::end(kTrees) || slash < tree->second ? "" : address.substr(0, slash);
}

bool may_match(const Glob& glob, std::string_view family) {
  const auto begin = glob.literal_prefix();
  return begin.starts_with(family) || family.starts_with(begin);
}

// Every address that begins so, and not only some.
bool matches_all(const Glob& glob, std::string_view begin) {
  const auto prefix = glob.literal_prefix();
  return begin.starts_with(prefix) && glob.text() == std::string(prefix) + "**";
}

bool is_every_file(const Glob& glob) {
  const auto& text = glob.text();
  return text == "**" || text == "file:///**" || text == "file://**" || text == "file:**";
}

// Whether a rule that allows may allow one file and not another, or a file in one form
// and not as itself.
bool tells_apart(const Rule& rule) {
  if (std::ranges::any_of(rule.uris, is_every_file)) return false;
  return std::ranges::any_of(rule.uris, [](const Glob& glob) {
    return may_match(glob, kFiles) || may_match(glob, "resource://file/") ||
           may_match(glob, "mcp://backlog/");
  });
}

Glob glob(std::string_view text) {
  auto parsed = Glob::parse(text);
  assert(parsed.ok());
  return std::move(parsed).value();
}

// What callers without a credential may read, and the tools that only read. A new
// kind of address is not for them until it stands here.
constexpr std::string_view kVisitorsRead[] = {
    "file:///**",         "resource://file/**", "resource://project/**", "capability-index://**",
    "skill://**",         "lode://search",      "lode://prompts/**",     "lode://tools/**",
    "resource://project", "mcp://backlog/**",   "lode://activity",
};
constexpr std::string_view kVisitorsCall[] = {"resource_read", "resource_find", "find_files",
                                              "ast_analyze"};

std::vector<Glob> globs(std::span<const std::string_view> texts) {
  std::vector<Glob> all;
  for (const auto text : texts) all.push_back(glob(text));
  return all;
}

}  // namespace

Result<Action> parse_action(std::string_view name) {
  const auto* const found = std::find(kActionNames.begin(), kActionNames.end(), name);
  if (found == kActionNames.end()) {
    return invalid(
        fmt::format("there is no action \"{}\"{}", name, did_you_mean(name, kActionNames)));
  }
  return static_cast<Action>(found - kActionNames.begin());
}

bool names_address(const Glob& glob, const Uri& uri) {
  const auto address = uri.text_without_query();
  const auto begin = address.substr(0, address.size() - uri.path().size());
  return glob.literal_prefix().starts_with(begin) && glob.matches(address);
}

Result<std::vector<Glob>> with_covered(Glob glob) {
  std::vector<Glob> globs;
  if (const auto itself = covered(glob.text()); !itself.empty()) {
    auto parsed = Glob::parse(itself);
    if (!parsed) return std::move(parsed).error();
    globs.push_back(std::move(*parsed));
  }
  globs.push_back(std::move(glob));
  return globs;
}

bool Policy::names(const Principal& who, const Uri& uri) const {
  return std::any_of(rules_.begin(), rules_.end(), [&](const Rule& rule) {
    return rule.allow && concerns(rule, who, Action::read) &&
           std::any_of(rule.uris.begin(), rule.uris.end(),
                       [&](const Glob& glob) { return names_address(glob, uri); });
  });
}

bool Policy::concerns(const Rule& rule, const Principal& who, Action action) const {
  const auto mine = [&](const std::string& role) { return has_role(who, role); };
  return contains(rule.actions, action) && std::ranges::any_of(rule.roles, mine);
}

bool Policy::permits_some(const Principal& who, Action action, std::string_view begin) const {
  bool allowed = false;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!concerns(rules_[i], who, action)) continue;
    for (const Address& address : addresses_[i]) {
      if (rules_[i].allow) {
        allowed = allowed || may_match(address.glob, begin);
      } else if (matches_all(address.glob, begin)) {
        return false;
      }
    }
  }
  return allowed;
}

bool Policy::permits_all(const Principal& who, Action action, std::string_view begin) const {
  bool allowed = false;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!rules_[i].allow || allowed || !concerns(rules_[i], who, action)) continue;
    allowed = std::ranges::any_of(
        addresses_[i], [&](const Address& address) { return matches_all(address.glob, begin); });
  }
  return allowed && !denies_some(who, action, begin);
}

bool Policy::denies_some(const Principal& who, Action action, std::string_view begin) const {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].allow || !concerns(rules_[i], who, action)) continue;
    const auto some = [&](const Address& address) { return may_match(address.glob, begin); };
    if (std::ranges::any_of(addresses_[i], some)) return true;
  }
  return false;
}

Result<Policy> Policy::make(std::vector<Rule> rules, Roles roles) {
  if (rules.size() > kMaxRules) {
    return invalid(fmt::format("a policy has at most {} rules", kMaxRules));
  }
  Policy policy;
  policy.rules_ = std::move(rules);
  policy.has_denies_ = std::any_of(policy.rules_.begin(), policy.rules_.end(),
                                   [](const Rule& rule) { return !rule.allow; });
  policy.tells_files_apart_ = policy.has_denies_ || std::ranges::any_of(policy.rules_, tells_apart);
  policy.roles_ = std::move(roles);
  if (auto done = policy.add_addresses(); !done) return std::move(done).error();
  policy.note_denied();
  if (auto done = policy.build_index(); !done) return std::move(done).error();
  return policy;
}

Status Policy::add_addresses() {
  constexpr std::string_view kTools = "lode://tools/";  // see tool_uri
  for (const Rule& rule : rules_) {
    std::vector<Glob> addresses = rule.uris;
    for (const Glob& tool : rule.tools) {
      auto address = Glob::parse(std::string(kTools) + std::string(tool.text()));
      if (!address) return std::move(address).error().in(rule.where);
      addresses.push_back(std::move(*address));
    }
    if (addresses.empty()) {
      return invalid("a rule names uris, tools or both; uris = [\"**\"] is everything")
          .in(rule.where);
    }
    auto& kept = addresses_.emplace_back();
    const auto keep = [&](Glob address, const std::string& written) {
      auto key = PolicyKey::of(address);
      auto branches = PolicyKey::branches_of(address);
      kept.push_back({std::move(address), written, std::move(key), std::move(branches)});
    };
    for (Glob& address : addresses) {
      const std::string written(address.text());
      if (auto fit = fits_addresses(written); !fit) {
        return std::move(fit).error().in(fmt::format("{}: \"{}\"", rule.where, written));
      }
      if (!rule.allow && !written.ends_with("**")) denies_directories_ = true;
      auto both = with_covered(std::move(address));
      if (!both) return std::move(both).error().in(rule.where);
      for (Glob& each : *both) keep(std::move(each), written);
    }
  }
  return {};
}

void Policy::note_denied() {
  std::vector<std::string> begins;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].allow) continue;
    for (const Address& address : addresses_[i]) begins.emplace_back(address.glob.literal_prefix());
  }
  std::sort(begins.begin(), begins.end());
  for (auto& begin : begins) {  // what begins with another follows it
    if (denied_.empty() || !begin.starts_with(denied_.back())) denied_.push_back(std::move(begin));
  }
}

// None begins with another: the one that the address begins with can only be the last that is
// not behind it.
bool Policy::may_deny(std::string_view begin) const {
  const auto behind = std::upper_bound(denied_.begin(), denied_.end(), begin);
  if (behind != denied_.end() && std::string_view(*behind).starts_with(begin)) return true;
  return behind != denied_.begin() && begin.starts_with(*std::prev(behind));
}

// Indexes refer to globs and keys in addresses_: their places on the heap stay when the
// policy moves.
Status Policy::build_index() {
  std::size_t globs = 0;
  std::size_t branches = 0;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    globs += rule.roles.size() * rule.actions.size() * addresses_[i].size();
    if (globs > kMaxGlobs) {
      return invalid("too many globs for too many roles and actions").in(rule.where);
    }
    for (const auto& role : rule.roles) {
      const auto [at, fresh] = by_role_.emplace(role, indexes_.size());
      if (fresh) indexes_.emplace_back();
      for (const Action action : rule.actions) {
        auto& index = indexes_[at->second][static_cast<std::size_t>(action)];
        for (const Address& address : addresses_[i]) {
          branches += address.branches.size();
          const bool split = branches <= kMaxBranches;
          const auto keys = split ? std::span(address.branches) : std::span(&address.key, 1);
          for (const auto& key : keys) index.add(address.glob, key, rule.allow);
        }
      }
    }
  }
  for (auto& role : indexes_) {
    for (auto& index : role) index.build();
  }

  for (const auto& [role, index] : by_role_) give(role, index);
  for (auto& [name, held] : principals_) {
    held.insert(held.end(), everyone_.begin(), everyone_.end());
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
  }
  return {};
}

// Notes who has the role, the one of its name included.
void Policy::give(std::string_view role, std::uint32_t index) {
  const auto to = [&](std::string_view name) {
    auto& held = name == kEveryone ? everyone_ : principals_[std::string(name)];
    held.push_back(index);
  };
  to(role);
  const auto found = roles_.find(role);
  if (found == roles_.end()) return;
  for (const auto& member : found->second) to(member);
}

bool Policy::has_role(const Principal& who, std::string_view role) const {
  if (role == who.name || role == kEveryone) return true;
  if (who.grants != nullptr && contains(who.grants->roles(), role)) return true;
  const auto found = roles_.find(role);
  return found != roles_.end() &&
         (contains(found->second, who.name) || contains(found->second, kEveryone));
}

const std::vector<std::uint32_t>& Policy::roles_of(const std::string& principal) const {
  const auto found = principals_.find(principal);
  return found == principals_.end() ? everyone_ : found->second;
}

// Of an address and, if it is a backup, of what it is a backup of, and so on.
Verdict Policy::decide(const Principal& who, Action action, const Uri& uri) const {
  const auto address = uri.text_without_query();
  Verdict verdict = decide_at(who, action, address);
  for (auto original = original_of_backup(address); original && verdict != Verdict::deny;
       original = original_of_backup(*original)) {
    const Verdict of_original = decide_at(who, action, *original);
    if (of_original != Verdict::allow) verdict = of_original;
  }
  if (verdict != Verdict::deny && denies_above(who, action, address)) return Verdict::deny;
  return verdict;
}

// Whether a directory is denied that the file is in. Globs that end in ** have said
// so of the file itself.
bool Policy::denies_above(const Principal& who, Action action, std::string_view address) const {
  if (!denies_directories_) return false;
  for (auto above = directory_of(address); !above.empty(); above = directory_of(above)) {
    if (decide_at(who, action, above) == Verdict::deny) return true;
  }
  return false;
}

Verdict Policy::decide_at(const Principal& who, Action action, std::string_view address) const {
  Verdict together = Verdict::none;
  const auto ask = [&](std::uint32_t role) {
    const Verdict verdict = indexes_[role][static_cast<std::size_t>(action)].decide(address);
    if (verdict != Verdict::none) together = verdict;
    return verdict == Verdict::deny;
  };
  for (const auto role : roles_of(who.name)) {
    if (ask(role)) return together;
  }
  if (who.grants == nullptr) return together;
  for (const auto& granted : who.grants->roles()) {
    const auto role = by_role_.find(granted);
    if (role != by_role_.end() && ask(role->second)) return together;
  }
  return together;
}

bool Policy::permits(const Principal& who, Action action, const Uri& uri) const {
  return decide(who, action, uri) == Verdict::allow;
}

bool Policy::denies(const Principal& who, Action action, const Uri& uri) const {
  return decide(who, action, uri) == Verdict::deny;
}

Explanation Policy::explain(const Principal& who, Action action, const Uri& uri) const {
  const auto address = uri.text_without_query();
  Explanation explanation;
  std::vector<std::string_view> names{address};
  while (const auto original = original_of_backup(names.back())) names.push_back(*original);
  const std::size_t to_allow = names.size();  // the directories above only deny
  std::vector<bool> allowed(to_allow, false);
  for (auto above = directory_of(address); !above.empty(); above = directory_of(above)) {
    names.push_back(above);
  }
  bool denied = false;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    Explanation::Step step{i, rule.where, rule.allow, false, {}};
    const Address* match = nullptr;
    std::vector<bool> matched;
    std::size_t which = 0;  // of the names
    for (std::size_t n = 0; n < (rule.allow ? to_allow : names.size()); ++n) {
      const auto found = std::find_if(addresses_[i].begin(), addresses_[i].end(),
                                      [&](const Address& a) { return a.glob.matches(names[n]); });
      matched.push_back(found != addresses_[i].end());
      if (!matched.back() || match != nullptr) continue;
      match = &*found;
      which = n;
    }
    if (std::none_of(rule.roles.begin(), rule.roles.end(),
                     [&](const auto& role) { return has_role(who, role); })) {
      step.why = fmt::format("{} has none of its roles", who.name);
    } else if (!contains(rule.actions, action)) {
      step.why = fmt::format("{} is none of its actions", to_string(action));
    } else if (match == nullptr) {
      step.why = fmt::format("no glob matches {}", address);
    } else {
      step.matched = true;
      step.why = fmt::format("{} matches{}", match->written,
                             which == 0         ? ""
                             : which < to_allow ? " what this is a backup of"
                                                : " a directory that this is in");
      denied = denied || !rule.allow;
      for (std::size_t n = 0; n < to_allow && rule.allow; ++n) {
        allowed[n] = allowed[n] || matched[n];
      }
    }
    explanation.steps.push_back(std::move(step));
  }
  explanation.permitted = !denied && !contains(allowed, false);
  return explanation;
}

// The roles, and whoever the table says has them.
std::vector<std::string> Policy::members_of(const std::vector<std::string>& roles) const {
  std::vector<std::string> members = roles;
  for (const auto& role : roles) {
    const auto found = roles_.find(role);
    if (found == roles_.end()) continue;
    members.insert(members.end(), found->second.begin(), found->second.end());
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

Result<Policy> Policy::with_denies_of(const Policy& other) const {
  std::vector<Rule> rules = rules_;
  for (const Rule& rule : other.rules_) {
    if (rule.allow) continue;
    rules.push_back(rule);
    rules.back().roles = other.members_of(rule.roles);
  }
  return make(std::move(rules), roles_);
}

Policy Policy::closed(std::string where) {
  using enum Action;
  auto policy = make({{false,
                       {std::string(kEveryone)},
                       {list, read, subscribe, complete, call, write, admin},
                       {glob("**")},
                       {},
                       std::move(where)}},
                     {});
  assert(policy.ok());
  return std::move(policy).value();
}

Policy Policy::local() {
  using enum Action;
  const std::string where = "built in";
  auto policy = make(
      {
          {true,
           {"local", "owner"},
           {list, read, subscribe, complete, call, write, admin},
           {glob("**")},
           {},
           where},
          {true, {"visitor"}, {list, read, subscribe, complete}, globs(kVisitorsRead), {}, where},
          {true, {"visitor"}, {call}, {}, globs(kVisitorsCall), where},
      },
      {});
  assert(policy.ok());
  return std::move(policy).value();
}

}  // namespace lode
