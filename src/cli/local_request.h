// A request of the user at this machine, who waits for its answer.
#pragma once

#include <chrono>

#include "engine/exchange.h"

namespace lode {

// Outlives the exchanges it gives.
class LocalRequest {
 public:
  Exchange exchange() {
    return {who_,    std::chrono::steady_clock::now() + std::chrono::minutes(10),
            {},      progress_,
            client_, answers_};
  }
  const Principal& who() const { return who_; }

 private:
  const Principal who_ = Principal::local();
  NoProgress progress_;
  const ClientAbilities client_;
  const Answers answers_;
};

}  // namespace lode
