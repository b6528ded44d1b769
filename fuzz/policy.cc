// The policy file. Input: the file.
//
//  - Any text is a policy, or is refused with the file and the line.
//  - A decision is that of the rules one by one: any deny refuses, else any allow
//    permits, else refused; the fast way and the explained way agree.
//  - A query changes nothing; a deny of everything refuses everything.
//  - A backup is permitted only if its original is.
//  - The denies of a policy, added to another, only refuse.
//  - An address made to fit a glob is matched by it.
#include <algorithm>
#include <string>
#include <vector>

#include "base/backup_name.h"
#include "base/grants.h"
#include "engine/policy_file.h"
#include "fuzz.h"

namespace lode::fuzz {
namespace {

constexpr std::string_view kFile = "policy.toml";
constexpr std::string_view kDenyAll =
    "\n[[rule]]\neffect = \"deny\"\nroles = [\"*\"]\nactions = [\"*\"]\nuris = [\"**\"]\n";
constexpr std::size_t kGlobs = 12;       // whose addresses are asked for
constexpr std::size_t kPrincipals = 12;  // that are asked for

// A text that a glob matches, by the simplest choice at each wildcard; empty if
// there is none so simple.
class Example {
 public:
  explicit Example(std::string_view glob) : rest_(glob) {}

  std::string text() {
    sequence(true);
    return simple_ && rest_.empty() ? out_ : std::string();
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  void put(std::string_view text, bool wanted) {
    if (wanted) out_ += text;
  }

  // Up to the end, or to the ',' or '}' that ends an alternative.
  void sequence(bool wanted, bool inside = false) {
    while (!rest_.empty() && rest_.front() != '}' && !(inside && rest_.front() == ',')) {
      const char c = take();
      if (c == '*') {
        const bool deep = rest_.starts_with('*');
        while (rest_.starts_with('*')) take();
        put(deep ? "x/y" : "x", wanted);
      } else if (c == '?') {
        put("q", wanted);
      } else if (c == '[') {
        simple_ = false;
      } else if (c == '{') {
        alternatives(wanted);
      } else {
        put({c == '\\' && !rest_.empty() ? take() : c}, wanted);
      }
    }
  }
  void put(std::initializer_list<char> c, bool wanted) {
    if (wanted) out_ += c;
  }

  void alternatives(bool wanted) {
    sequence(wanted, true);
    while (rest_.starts_with(',')) {
      take();
      sequence(false, true);
    }
    if (rest_.starts_with('}')) take();
  }

  std::string_view rest_;
  std::string out_;
  bool simple_ = true;
};

void check_glob(const Glob& glob, std::vector<Uri>& addresses) {
  const auto text = Example(glob.text()).text();
  check(text.empty() || glob.matches(text), "a glob matches what was made for it");
  check(!glob.matches(text) || text.starts_with(glob.literal_prefix()), "after its prefix");
  if (auto uri = Uri::parse(text)) addresses.push_back(std::move(*uri));
}

std::vector<Uri> addresses_of(const Policy& policy) {
  std::vector<Uri> addresses;
  for (const auto* text : {"file:///a/private/b.txt", "resource://file/a.ts/symbols?compact=true",
                           "lode://tools/resource_read", "urn:x"}) {
    addresses.push_back(std::move(Uri::parse(text)).value());
  }
  for (const auto& rule : policy.rules()) {
    for (const auto& glob : rule.uris) {
      if (addresses.size() < kGlobs) check_glob(glob, addresses);
    }
    for (const auto& glob : rule.tools) {
      if (addresses.size() >= kGlobs) break;
      auto uri = Uri::parse("lode://tools/" + Example(glob.text()).text());
      if (uri) addresses.push_back(std::move(*uri));
    }
  }
  return addresses;
}

std::vector<Principal> principals_of(const Policy& policy) {
  std::vector<Principal> principals;
  for (const auto* name : {"local", "visitor", "ci", "nobody"}) principals.push_back({name});
  for (const auto& rule : policy.rules()) {
    for (const auto& role : rule.roles) {
      if (principals.size() < kPrincipals) principals.push_back({role});
    }
    if (principals.size() < kPrincipals) principals.push_back(*granted("holder", rule.roles));
  }
  return principals;
}

void check_decision(const Policy& policy, const Principal& who, Action action, const Uri& uri) {
  const auto explained = policy.explain(who, action, uri);
  check(explained.steps.size() == policy.rules().size(), "every rule is explained");
  const auto any = [&](bool allow) {
    return std::any_of(explained.steps.begin(), explained.steps.end(),
                       [allow](const auto& step) { return step.matched && step.allow == allow; });
  };
  const bool permitted = explained.permitted;
  const auto plain = uri.without_query();
  const auto original = original_of_backup(plain.text());
  check(permitted ? any(true) && !any(false) : any(false) || !any(true) || original,
        "any deny refuses, else any allow permits");
  const auto file = original ? Uri::parse(*original) : Result<Uri>(invalid(""));
  check(!permitted || !file || file->text() != *original || policy.permits(who, action, *file),
        "a backup is as its original");
  check(policy.permits(who, action, uri) == permitted, "and the fast way agrees");
  check(policy.permits(who, action, plain) == permitted, "whatever the query");
}

template <class Ask>
void each_question(const Policy& policy, const Ask& ask) {
  const auto addresses = addresses_of(policy);
  for (const auto& who : principals_of(policy)) {
    for (std::size_t action = 0; action < kActionNames.size(); ++action) {
      for (const auto& uri : addresses) ask(who, static_cast<Action>(action), uri);
    }
  }
}

// "policy.toml:12: …"
void check_refusal(const Error& error) {
  check(error.code == Code::invalid, "a wrong file is its writer's fault");
  check(error.message.starts_with(kFile), "a refusal names the file");
  auto rest = std::string_view(error.message).substr(kFile.size());
  check(rest.size() > 2 && rest[0] == ':' && rest[1] >= '1' && rest[1] <= '9', "and the line");
}

}  // namespace

void run(std::string_view input) {
  const auto policy = parse_policy(input, kFile);
  if (!policy) return check_refusal(policy.error());
  each_question(*policy, [&](const Principal& who, Action action, const Uri& uri) {
    check_decision(*policy, who, action, uri);
  });

  const auto closed = parse_policy(std::string(input) + std::string(kDenyAll), kFile);
  if (!closed) return;  // its rules were an array on one line: none can be added
  check(closed->rules().size() == policy->rules().size() + 1, "another rule is one more");
  each_question(*closed, [&](const Principal& who, Action action, const Uri& uri) {
    check(!closed->permits(who, action, uri), "a deny of everything refuses everything");
  });

  const auto local = Policy::local();
  const auto tighter = local.with_denies_of(*policy);
  if (!tighter) return;  // too many together
  each_question(*policy, [&](const Principal& who, Action action, const Uri& uri) {
    const bool wanted = local.permits(who, action, uri) && !policy->denies(who, action, uri);
    check(tighter->permits(who, action, uri) == wanted, "denies of another are added, no more");
  });
}

}  // namespace lode::fuzz
