// Who sends an HTTP request.
//
// Who shows the token is the owner. Without a credential a caller is a visitor, but
// only if the kernel says that it runs as the server's own user on this machine:
// other users of a shared machine reach its loopback too. That includes root, who
// can read the token. Nobody is a visitor through a proxy, whose users the kernel
// does not know: neither when other names than those of loopback are served
// (http.hosts) nor when a request has a header that proxies add.
//
// The token can be rotated while the server runs: who shows another than the known one
// waits until a worker has looked which it is now, and look_again() is called now and
// then, so that the old one ends. Those who were known by it are revoked then
// (base/grants.h).
//
// Any thread.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/grants.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/worker_pool.h"
#include "transport/http_router.h"

namespace lode {

// What a caller is told who may not do something without a credential.
inline constexpr std::string_view kHowToBeOwner =
    "send the header \"Authorization: Bearer TOKEN\" with the token that the server keeps in its "
    "state directory (lode doctor names it)";

class Callers final : public HttpIdentifier {
 public:
  struct Options {
    std::string token{};        // who sends it is the owner; empty: nobody can
    bool behind_proxy = false;  // nobody is a visitor
    uid_t uid = 0;              // the server's user
    // The token as it is now; may block. Nothing: it stays as it was. Empty: it never
    // changes.
    std::function<std::optional<std::string>()> current_token{};
  };

  // REQUIRES: the pool outlives it.
  Callers(Options options, WorkerPool& pool);

  // peer: the user at the other end, if the kernel says (HttpReply::peer_uid); asked
  // only if it matters. The error is for the caller; it is Code::denied. Nothing: the
  // token may have changed.
  std::optional<Result<Principal>> identify(
      const HttpRequest& request, const std::function<std::optional<uid_t>()>& peer) const;
  // Who it can be at best, for who must not wait: the owner with the token, else a
  // visitor.
  Principal claimed(const HttpRequest& request) const;

  std::optional<Result<Principal>> at_once(const HttpRequest& request,
                                           const HttpReply& reply) override;
  void later(const HttpRequest& request, Answer answer) override;

  // Takes the token as it is now. May block.
  void look_again() LODE_EXCLUDES(looking_, mutex_);

 private:
  // Nothing: it is not the token.
  std::optional<Principal> holder(std::string_view given) const LODE_EXCLUDES(mutex_);

  const Options options_;
  WorkerPool& pool_;
  Mutex looking_;  // while the token is read, so that none replaces a newer one; taken first
  mutable Mutex mutex_;
  std::string token_ LODE_GUARDED_BY(mutex_);
  std::shared_ptr<Grants> grants_ LODE_GUARDED_BY(mutex_);  // of who shows it
};

}  // namespace lode
