// A key ring that all processes on a state directory share: a file.
//
// Each line is a key, the current one first: its id, when it was made (seconds since
// 1970), its secret. The file is made when a key is first needed. A current key that
// has been used for a while is replaced by whoever notices. The others find the new one
// because every use looks whether the file has changed, and who does not know a key
// reads it again. So nothing has to be restarted, and a key that somebody takes out of
// the file opens nothing from then on.
//
// Where the file can be neither read nor made, the ring is this process's own.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/key_ring.h"
#include "base/mutex.h"
#include "base/result.h"
#include "store/secret_file.h"

namespace lode {

class FileKeyRing final : public KeyRing {
 public:
  struct Options {
    std::size_t old_keys = 4;                // that still open
    std::chrono::hours renew_after{7 * 24};  // the age of a current key
    std::function<std::chrono::system_clock::time_point()> clock = [] {
      return std::chrono::system_clock::now();
    };
  };

  // The directory exists; the file need not.
  explicit FileKeyRing(std::string path);
  FileKeyRing(std::string path, Options options);

  SealingKey current() override LODE_EXCLUDES(mutex_);
  std::optional<SealingKey> current_at_once() override LODE_EXCLUDES(mutex_);
  std::optional<SealingKey> find(std::string_view id) override LODE_EXCLUDES(mutex_);

  // A new current key, for all; the oldest goes when there are too many.
  Status rotate() LODE_EXCLUDES(mutex_);

 private:
  struct Dated {
    SealingKey key;
    std::int64_t made = 0;  // seconds since 1970
  };
  using Keys = std::vector<Dated>;

  static std::optional<Keys> parse(std::string_view text);
  static std::string text_of(const Keys& keys);
  std::int64_t now() const;
  bool too_old(const Dated& key) const;
  // Reads the file if it has changed.
  void look() LODE_REQUIRES(mutex_);
  void read() LODE_REQUIRES(mutex_);
  const Dated* known(std::string_view id) const LODE_REQUIRES(mutex_);
  Status add_key(bool even_if_young) LODE_REQUIRES(mutex_);

  const SecretFile file_;
  const Options options_;
  Mutex mutex_;
  Keys keys_ LODE_GUARDED_BY(mutex_);                // of the file; the current one first
  SecretFile::Stamp stamp_ LODE_GUARDED_BY(mutex_);  // of the file that they were read from
  ProcessKeyRing own_;                               // while there is no file
};

}  // namespace lode
