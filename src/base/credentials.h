// Credentials that somebody put into a query: "?token=…", "?api_key=…". Addresses are
// logged, cached, shown and passed on, so they are refused there, and what was sent
// is not repeated.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace lode {

// Whether a query (without its '?', still encoded) has a parameter named token,
// access_token, api_key or apikey, however it is spelled.
bool has_credential(std::string_view query);

// The answer then; it points at the header where credentials belong.
Error credential_in_query();

// An address as it may be shown: the values of such parameters are replaced by "***".
// Anything may be given; what is no address stays as it is.
std::string without_credentials(std::string_view address);

}  // namespace lode
