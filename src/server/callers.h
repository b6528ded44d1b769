// Who sends an HTTP request.
//
// Who shows the token is the owner. Without a credential a caller is a visitor, but
// only if the kernel says that it runs as the server's own user on this machine:
// other users of a shared machine reach its loopback too. That includes root, who
// can read the token. Nobody is a visitor through a proxy, whose users the kernel
// does not know: neither when other names than those of loopback are served
// (http.hosts) nor when a request has a header that proxies add.
//
// A constant value; any thread.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "base/principal.h"
#include "base/result.h"
#include "transport/http_server.h"

namespace lode {

class Callers {
 public:
  // token: who sends it is the owner; empty: nobody can. uid: the server's user.
  Callers(std::string token, bool behind_proxy, uid_t uid)
      : token_(std::move(token)), behind_proxy_(behind_proxy), uid_(uid) {}

  // peer: the user at the other end, if the kernel says (HttpReply::peer_uid); asked
  // only if it matters. The error is for the caller; it is Code::denied.
  Result<Principal> identify(const HttpRequest& request,
                             const std::function<std::optional<uid_t>()>& peer) const;
  // Who it can be at best, for who must not wait: the owner with the token, else a
  // visitor.
  Principal claimed(const HttpRequest& request) const;

 private:
  Result<Principal> by_credential(const HttpRequest& request) const;

  const std::string token_;
  const bool behind_proxy_;
  const uid_t uid_;
};

}  // namespace lode
