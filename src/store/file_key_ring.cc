#include "store/file_key_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace lode {
namespace {

// Any number of whole bytes; false if it is none, or another number.
bool parse_hex(std::string_view text, unsigned char* out, std::size_t size) {
  if (text.size() != 2 * size) return false;
  for (std::size_t i = 0; i < size; ++i) {
    const char* const digits = text.data() + 2 * i;
    const auto [end, failed] = std::from_chars(digits, digits + 2, out[i], 16);
    if (failed != std::errc() || end != digits + 2) return false;
  }
  return true;
}

// What stands before the separator, which is taken away with it.
std::string_view take(std::string_view& text, char separator) {
  const auto at = text.find(separator);
  const auto part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

}  // namespace

FileKeyRing::FileKeyRing(std::string path) : FileKeyRing(std::move(path), Options()) {}
FileKeyRing::FileKeyRing(std::string path, Options options)
    : file_(std::move(path)), options_(std::move(options)) {}

std::int64_t FileKeyRing::now() const {
  return std::chrono::duration_cast<std::chrono::seconds>(options_.clock().time_since_epoch())
      .count();
}

bool FileKeyRing::too_old(const Dated& key) const {
  return now() - key.made >= std::chrono::seconds(options_.renew_after).count();
}

// Nothing: this is no ring, or it has no key.
std::optional<FileKeyRing::Keys> FileKeyRing::parse(std::string_view text) {
  Keys keys;
  while (!text.empty()) {
    auto line = take(text, '\n');
    Dated key;
    std::array<unsigned char, SealingKey::kIdBytes> id{};
    key.key.id = take(line, ' ');
    const auto made = take(line, ' ');
    const auto [end, failed] = std::from_chars(made.data(), made.data() + made.size(), key.made);
    const bool dated = failed == std::errc() && end == made.data() + made.size();
    if (!dated || !parse_hex(key.key.id, id.data(), id.size()) ||
        !parse_hex(line, key.key.secret.data(), key.key.secret.size())) {
      return std::nullopt;
    }
    keys.push_back(std::move(key));
  }
  return keys.empty() ? std::nullopt : std::optional(std::move(keys));
}

std::string FileKeyRing::text_of(const Keys& keys) {
  std::string text;
  for (const auto& [key, made] : keys) {
    text += fmt::format("{} {} {:02x}\n", key.id, made, fmt::join(key.secret, ""));
  }
  return text;
}

void FileKeyRing::look() {
  if (keys_.empty() || file_.stamp() != stamp_) read();
}

void FileKeyRing::read() {
  keys_.clear();
  const auto contents = file_.read();
  if (!contents) return;
  stamp_ = contents->stamp;
  if (auto keys = parse(contents->bytes)) keys_ = std::move(*keys);
}

const FileKeyRing::Dated* FileKeyRing::known(std::string_view id) const {
  const auto found = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const Dated& dated) { return dated.key.id == id; });
  return found == keys_.end() ? nullptr : &*found;
}

Status FileKeyRing::add_key(bool even_if_young) {
  const auto added = file_.update([&](const std::string* text) {
    auto keys = text == nullptr ? std::nullopt : parse(*text);
    // Another process may have been here first.
    if (keys && !even_if_young && !too_old(keys->front())) return *text;
    if (!keys) keys.emplace();
    keys->insert(keys->begin(), {SealingKey::random(), now()});
    if (keys->size() > options_.old_keys + 1) keys->resize(options_.old_keys + 1);
    return text_of(*keys);
  });
  if (!added) return added.error();
  read();
  return {};
}

SealingKey FileKeyRing::current() {
  const Lock lock(mutex_);
  look();
  // A key that could not be renewed still seals.
  if (keys_.empty() || too_old(keys_.front())) static_cast<void>(add_key(false));
  return keys_.empty() ? own_.current() : keys_.front().key;
}

// Another thread that holds the ring may be waiting for another process.
std::optional<SealingKey> FileKeyRing::current_at_once() {
  if (!mutex_.try_lock()) return std::nullopt;
  const bool usable = !keys_.empty() && file_.stamp() == stamp_ && !too_old(keys_.front());
  auto key = usable ? std::optional(keys_.front().key) : std::nullopt;
  mutex_.unlock();
  return key;
}

std::optional<SealingKey> FileKeyRing::find(std::string_view id) {
  const Lock lock(mutex_);
  look();
  const auto* found = known(id);
  if (found == nullptr) {
    read();
    found = known(id);
  }
  return found == nullptr ? own_.find(id) : std::optional(found->key);
}

Status FileKeyRing::rotate() {
  const Lock lock(mutex_);
  return add_key(true);
}

}  // namespace lode
