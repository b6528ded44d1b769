// The keys that seal what travels through a client and comes back.
//
// A ring has a current key, which seals, and older ones, which still open what they
// sealed. Whoever seals says with which key, by its id; so processes that share a ring
// open each other's seals, and a key can be replaced while seals of it are under way.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"

namespace lode {

struct SealingKey {
  static constexpr std::size_t kIdBytes = 4;

  std::string id;  // in hexadecimal
  std::array<unsigned char, 32> secret{};

  static SealingKey random() {
    SealingKey key{random_hex(kIdBytes), {}};
    random_bytes(key.secret.data(), key.secret.size());
    return key;
  }
};

// Any thread. May read a file, so all but current_at_once() belongs on worker threads.
class KeyRing {
 public:
  virtual ~KeyRing() = default;

  // To seal with.
  virtual SealingKey current() = 0;
  // The same without waiting. Nothing: current() might wait.
  virtual std::optional<SealingKey> current_at_once() = 0;
  // Nothing: the ring has no such key, or has it no longer. A ring that others may have
  // rotated looks again before it says so.
  virtual std::optional<SealingKey> find(std::string_view id) = 0;
};

// One key, of this process alone: nobody else opens what it seals.
class ProcessKeyRing final : public KeyRing {
 public:
  SealingKey current() override { return key_; }
  std::optional<SealingKey> current_at_once() override { return key_; }
  std::optional<SealingKey> find(std::string_view id) override {
    return id == key_.id ? std::optional(key_) : std::nullopt;
  }

 private:
  const SealingKey key_ = SealingKey::random();
};

}  // namespace lode
