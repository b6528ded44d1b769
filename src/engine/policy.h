// Who may do what, with which address.
//
//   Any matching deny refuses; else any matching allow permits; else refused.
//
// A rule matches when one of its roles is the principal's, one of its actions
// is the one asked for, and one of its globs matches the address. A principal
// has the role of its own name, the roles that list it, those that its credential
// grants (base/grants.h, which sees to it that none is called "*", "local", "owner" or
// "visitor"), and "*", the role of everyone. What lists a principal lists its name: a
// role that was granted is nobody's member.
//
// Globs are held against the normalised address without its query: neither can
// a deny be escaped nor an allow be won by a query that nobody reads. A tool's
// address is lode://tools/NAME (see tool_uri); a rule's `tools` are globs of
// the NAME alone.
//
// "x/**" covers x itself. Of files: who is denied a directory is denied all that is
// below it.
//
// A backup (base/backup_name.h) obeys the rules of its original as well as those
// of its own name: it is permitted only if both are.
//
// Design. The engine asks before the cache, at every warm read and for every
// entry of a list, so a decision costs the same with one rule as with a
// thousand: rules are sorted at construction by role and by action, and their
// globs by what they literally begin with (PolicyIndex); those that cannot
// match are not looked at.
//
// Invariants:
//  (1) A Policy never changes; any thread may ask. A new file is a new Policy
//      (PolicySource).
//  (2) permits() and denies() allocate nothing and take no lock.
//  (3) permits() and explain() agree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/glob.h"
#include "base/principal.h"
#include "base/result.h"
#include "base/uri.h"
#include "engine/action.h"
#include "engine/policy_index.h"

namespace lode {

struct Rule {
  bool allow = false;
  std::vector<std::string> roles;
  std::vector<Action> actions;
  std::vector<Glob> uris;   // of addresses
  std::vector<Glob> tools;  // of tools' names
  std::string where;        // "policy.toml:12"; for people
};

// Whether a glob that matches the address begins, literally, with its scheme and
// host: "file:///**" names file:///a, "**" only matches it.
bool names_address(const Glob& glob, const Uri& uri);

// What a glob of addresses stands for, in a rule and in the exposure list: itself, and x if
// it is "x/**".
Result<std::vector<Glob>> with_covered(Glob glob);

// By role, the names of the principals that have it; "*" for everyone.
using Roles = std::map<std::string, std::vector<std::string>, std::less<>>;

// A decision, rule by rule.
struct Explanation {
  struct Step {
    std::size_t rule = 0;  // from 0, in the order of the file
    std::string where;
    bool allow = false;
    bool matched = false;
    std::string why;  // which glob matched, or the first thing that did not
  };
  bool permitted = false;
  std::vector<Step> steps;  // one for each rule
};

class Policy {
 public:
  static constexpr std::size_t kMaxRules = 10'000;
  static constexpr std::size_t kMaxGlobs = 100'000;  // of all rules: roles x actions x globs
  // The same, each alternative counted; where there are more, the globs that are
  // left over are found by their beginning and end only.
  static constexpr std::size_t kMaxBranches = 4 * kMaxGlobs;

  // Code::invalid: over a limit, a rule without addresses, or a glob that no
  // address can match; the message begins with the rule's `where`.
  static Result<Policy> make(std::vector<Rule> rules, Roles roles);

  // What holds without a file: "local" (the pipe's user) and "owner" (who
  // holds the workspace's token) may do everything; "visitor" may list, read,
  // subscribe to and complete files, code, projects, elements, skills, the backlog,
  // prompts and the search over them, and call the tools that only read.
  static Policy local();
  // Everything is refused to everyone; where: why, for people.
  static Policy closed(std::string where);
  // This policy, and the denies of another. Its allows do not count, and its table of
  // roles only says whom its own denies concern: nobody gains a role that rules here
  // name. Code::invalid: over a limit, together.
  Result<Policy> with_denies_of(const Policy& other) const;

  // Indexes point into the policy that owns them.
  Policy(Policy&&) = default;
  Policy& operator=(Policy&&) = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  ~Policy() = default;

  bool permits(const Principal& who, Action action, const Uri& uri) const;
  // Whether a rule refuses, whatever others allow: what holds for an address that is
  // made of another, beside what its own rules say.
  bool denies(const Principal& who, Action action, const Uri& uri) const;
  // Whether some address that begins so may be permitted. False only if no rule that allows
  // can match one, or a rule refuses all of them ("x**"). Looks at every rule.
  bool permits_some(const Principal& who, Action action, std::string_view begin) const;
  // Whether every address that begins so is certainly permitted: a rule allows all of them
  // ("x**"), and none that refuses can match one. Looks at every rule.
  bool permits_all(const Principal& who, Action action, std::string_view begin) const;
  // Whether a rule that refuses may match an address that begins so. Looks at every rule.
  bool denies_some(const Principal& who, Action action, std::string_view begin) const;
  // Whether a rule, whomever it concerns, may refuse an address that begins so. Costs the same
  // with one rule as with a thousand, and allocates nothing.
  bool may_deny(std::string_view begin) const;
  // Whether there is any rule that refuses.
  bool has_denies() const { return has_denies_; }
  // Whether one file may be permitted to somebody and another not.
  bool tells_files_apart() const { return tells_files_apart_; }
  Explanation explain(const Principal& who, Action action, const Uri& uri) const;

  // Whether a rule that allows the caller to read names the address, and does
  // not only happen to match it: see names_address(). Looks at every rule.
  bool names(const Principal& who, const Uri& uri) const;

  const std::vector<Rule>& rules() const { return rules_; }

 private:
  struct Address {
    Glob glob;
    std::string written;  // in the rule
    PolicyKey key;
    std::vector<PolicyKey> branches;  // each in its place, if there are not too many
  };
  // The rules of one role, by action.
  using RoleIndex = std::array<PolicyIndex, kActionNames.size()>;

  Policy() = default;
  Verdict decide(const Principal& who, Action action, const Uri& uri) const;
  Verdict decide_at(const Principal& who, Action action, std::string_view address) const;
  bool denies_above(const Principal& who, Action action, std::string_view address) const;
  std::vector<std::string> members_of(const std::vector<std::string>& roles) const;
  void give(std::string_view role, std::uint32_t index);
  Status add_addresses();
  void note_denied();
  Status build_index();
  const std::vector<std::uint32_t>& roles_of(const std::string& principal) const;
  bool has_role(const Principal& who, std::string_view role) const;
  bool concerns(const Rule& rule, const Principal& who, Action action) const;

  std::vector<Rule> rules_;
  bool has_denies_ = false;
  bool tells_files_apart_ = false;
  // What the globs of rules that refuse begin with, in order; of two of which one begins with
  // the other, the shorter.
  std::vector<std::string> denied_;
  bool denies_directories_ = false;  // by a glob that does not reach below them
  Roles roles_;
  std::vector<std::vector<Address>> addresses_;  // by rule: uris, then tools as addresses
  std::vector<RoleIndex> indexes_;               // of the roles that any rule names
  std::unordered_map<std::string, std::uint32_t> by_role_;  // which
  // The indexes of each principal that is named anywhere, and of all others.
  std::unordered_map<std::string, std::vector<std::uint32_t>> principals_;
  std::vector<std::uint32_t> everyone_;
};

}  // namespace lode
