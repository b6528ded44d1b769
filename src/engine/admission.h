// Who gets through to an address: the exposure list, and the gate that asks it and the
// policy.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"
#include "base/result.h"
#include "base/uri.h"
#include "engine/catalog.h"
#include "engine/events.h"
#include "engine/gate.h"
#include "engine/listed_page.h"
#include "engine/policy.h"

namespace lode {

// Which addresses are offered at all (`resources.expose`). Constant; any thread.
class Exposure {
 public:
  // Everything.
  Exposure() = default;
  // Entries are addresses or globs of them, as in rules; none means everything.
  static Result<Exposure> parse(const std::vector<std::string>& entries);

  // From now on an address must be in this list too; none narrows nothing. It opens
  // nothing: names() does not ask it. An entry that is no address matches none.
  void narrow(const std::vector<std::string>& entries);

  // The query has no say.
  bool shows(const Uri& uri) const;
  // Whether an entry names the address, or the kind of addresses that it is one
  // of, and does not only happen to match it: begins with its scheme and host.
  bool names(const Uri& uri) const;
  // Whether every address that begins so is.
  bool shows_all(std::string_view begin) const;
  // Whether any address of the template may be shown.
  bool shows_some(std::string_view uri_template) const;

 private:
  std::vector<Glob> globs_;
  bool narrowed_ = false;
  std::vector<Glob> narrower_;
};

// The path of a file after all links, whether or not it is there. Absolute.
using RealPath = std::function<std::string(std::string_view path)>;

// The gate of one request: the catalog, the policy and the exposure list as they were
// when it began.
//
// Asks the file system where a file really is only if the policy makes a difference
// between files.
//
// Any thread; lives as long as the request.
class Admission final : public Gate {
 public:
  // REQUIRES: real_path outlives it. No function: paths are what they say.
  Admission(std::shared_ptr<const Catalog> catalog, std::shared_ptr<const Policy> policy,
            std::shared_ptr<const Exposure> exposure, const RealPath& real_path)
      : catalog_(std::move(catalog)),
        policy_(std::move(policy)),
        exposure_(std::move(exposure)),
        real_path_(real_path) {}

  // An address that the caller may do this with, in its one spelling, and who
  // answers for it. Code::not_found: there is none, or it is hidden. Code::denied:
  // the caller may see it, but not do this.
  struct Target {
    Uri uri;
    const Member* member;
    std::optional<FileBehind> file;
  };
  // To subscribe is granted for what is hidden as it is for what is not there: nothing is heard
  // of it. The name that a file is known by decides, and where a file has to be
  // looked up, the address alone: whether a link leads to something denied, or whether
  // something denied is there, is not to be learned so. may_hear_at() asks that before an
  // event. What nobody can listen to is refused: no route has it, or its provider says so.
  Result<Target> admit(const Principal& who, Action action, std::string_view text) const;
  // The one spelling of an address. Nothing: it is none.
  std::optional<Uri> canonical(std::string_view text) const;
  // Whether the caller may have what was read at the address. Asks neither a provider
  // nor the file system.
  bool may_have(const Principal& who, const Uri& uri, const Contents& contents) const;
  // Whether the policy that they were made under is the one of this request.
  bool is_current(const Contents& contents) const;
  // Whether the provider that gave the contents answers for the address, unchanged.
  bool still_answers(const Uri& uri, const Contents& contents) const;
  // Notes in contents what still_answers() has to know.
  void note_provider(const Member& member, Contents& contents) const;
  // Notes in contents what may_have() has to know of the file behind an address, and the
  // other addresses that show it (Provider::shown_at).
  void note_files(const FileBehind& file, Contents& contents) const;
  // What rules are held against: the address in its one spelling, then the file that it
  // shows, under the name that it is known by and, if that is another, its real one. Of a
  // prompt: its address, then what is held against the resource that it is made of.
  struct Held {
    Uri uri;
    bool must_be_allowed = true;  // else it only must not be denied
  };
  std::vector<Held> held_against(const Uri& uri) const;
  // Whether the caller may hear of a change, by what changed in the list and by what made
  // it. Whether it may know of the address that changed is asked apart.
  bool may_hear(const Principal& who, const Change& change) const;
  // That: the address is one that the caller listens to, in its one spelling.
  bool may_hear_at(const Principal& who, const Change& change, const Uri& uri) const;

  bool may(const Principal& who, Action action, const Uri& uri) const override;
  bool may(const Principal& who, Action action, const Uri& uri,
           const FileBehind& file) const override;
  Result<Uri> parse(std::string_view text) const override { return catalog_->parse(text); }
  bool exposes(const Uri& uri) const override { return exposure_->shows(uri); }
  bool offers_some(const Principal& who, std::string_view uri_template) const override;
  bool may_all(const Principal& who, Action action, std::string_view begin,
               std::string_view directory) const override;
  bool refuses(const Principal& who, Action action, std::string_view path,
               bool real) const override;

  const Catalog& catalog() const { return *catalog_; }
  const std::shared_ptr<const Policy>& policy() const { return policy_; }
  const Exposure& exposure() const { return *exposure_; }
  // A page without entries, made under this gate, and whether one was.
  ListedPage empty_page() const { return {{}, {}, catalog_, exposure_}; }
  bool is_current(const ListedPage& page) const {
    return page.catalog.lock() == catalog_ && page.exposure == exposure_;
  }
  std::size_t asked() const { return asked_; }
  std::size_t refused() const { return refused_; }

 private:
  // Whether what a list says of the address may be seen: an address, a template, or
  // what a family begins with.
  bool sees(const Principal& who, std::string_view listed) const;
  std::optional<std::vector<Held>> held_against_prompt(const Uri& uri) const;
  bool explains(const Principal& who, const Change& change, const Cause& cause) const;
  bool decide(const Principal& who, Action action, const Uri& uri,
              const std::optional<FileBehind>& file, bool real = false) const;
  // elsewhere: it must not be denied at other addresses that show it either. These are asked
  // for of their providers.
  bool permits_file(const Principal& who, Action action, const FileBehind& file, bool real,
                    bool elsewhere) const;
  // Other addresses of what is in a file, of those that rules may deny.
  std::vector<Uri> shown_at(std::string_view path) const;
  bool denies_some_of(const Manifest& manifest) const;
  bool is_denied_elsewhere(const Principal& who, Action action, std::string_view path) const;
  bool passes(const Principal& who, Action action, const Uri& file, bool is_the_file) const;
  bool counted(bool permitted) const;

  const std::shared_ptr<const Catalog> catalog_;
  const std::shared_ptr<const Policy> policy_;
  const std::shared_ptr<const Exposure> exposure_;
  const RealPath& real_path_;
  mutable std::atomic<std::size_t> asked_{0};
  mutable std::atomic<std::size_t> refused_{0};
};

}  // namespace lode
