#include "crash_disk.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace lode {
namespace {

constexpr std::size_t kSector = 512;

std::uint64_t below(CrashDisk::Random& random, std::uint64_t bound) {
  return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random);
}

// Which of so many changes survive: none, all, a beginning, or any subset.
std::vector<bool> survivors(std::size_t count, CrashDisk::Random& random) {
  const std::uint64_t way = below(random, 4);
  const std::uint64_t first_lost = below(random, count + 1);
  std::vector<bool> survive(count, way == 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (way == 2) survive[i] = i < first_lost;
    if (way == 3) survive[i] = below(random, 2) == 0;
  }
  return survive;
}

void put(std::string& image, std::uint64_t at, std::string_view bytes) {
  if (image.size() < at + bytes.size()) image.resize(at + bytes.size());
  image.replace(at, bytes.size(), bytes);
}

void put_torn(std::string& image, std::uint64_t at, std::string_view bytes,
              CrashDisk::Random& random) {
  while (!bytes.empty()) {
    const std::size_t length = std::min(bytes.size(), kSector - at % kSector);
    if (below(random, 2) == 0) put(image, at, bytes.substr(0, length));
    at += length;
    bytes.remove_prefix(length);
  }
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

CrashDisk::CrashDisk(std::filesystem::path directory) : directory_(std::move(directory)) {
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    names_[entry.path().filename()] = std::make_shared<File>(File{read(entry.path()), {}});
  }
  durable_names_ = names_;
}

bool CrashDisk::proceed(Operation operation) {
  if (left_ > 0) --left_;
  const bool here = where_ == Stop::anywhere || operation == Operation::sync;
  stopped_ = stopped_ || (left_ == 0 && here);
  return !stopped_;
}

void CrashDisk::find(const std::string& name) {
  if (names_.contains(name)) return;
  names_[name] = durable_names_[name] = std::make_shared<File>();
}

void CrashDisk::create(const std::string& name) {
  names_[name] = std::make_shared<File>();
  pending_names_.push_back({name, names_[name]});
}

void CrashDisk::write(const std::string& name, std::uint64_t offset, std::string_view bytes) {
  names_.at(name)->pending.push_back({Change::Kind::write, offset, std::string(bytes)});
}

void CrashDisk::truncate(const std::string& name, std::uint64_t size) {
  names_.at(name)->pending.push_back({Change::Kind::truncate, size, {}});
}

void CrashDisk::sync(const std::string& name) {
  File& file = *names_.at(name);
  for (const Change& change : file.pending) {
    if (change.kind == Change::Kind::truncate) {
      file.durable.resize(change.at);
    } else {
      put(file.durable, change.at, change.bytes);
    }
  }
  file.pending.clear();
}

void CrashDisk::remove(const std::string& name) {
  names_.erase(name);
  pending_names_.push_back({name, nullptr});
}

void CrashDisk::sync_directory() {
  durable_names_ = names_;
  pending_names_.clear();
}

std::string CrashDisk::remainder(const File& file, Random& random) {
  std::string image = file.durable;
  const auto survive = survivors(file.pending.size(), random);
  const bool tears = below(random, 2) == 0;  // one write in three, then
  for (std::size_t i = 0; i < file.pending.size(); ++i) {
    const Change& change = file.pending[i];
    if (!survive[i]) continue;
    if (change.kind == Change::Kind::truncate) {
      image.resize(change.at);
    } else if (tears && below(random, 3) == 0) {
      put_torn(image, change.at, change.bytes, random);
    } else {
      put(image, change.at, change.bytes);
    }
  }
  return image;
}

void CrashDisk::crash(Random& random) {
  Names names = durable_names_;
  const auto survive = survivors(pending_names_.size(), random);
  for (std::size_t i = 0; i < pending_names_.size(); ++i) {
    if (!survive[i]) continue;
    names[pending_names_[i].name] = pending_names_[i].file;
  }
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    std::filesystem::remove(entry.path());
  }
  for (const auto& [name, file] : names) {
    if (!file) continue;
    std::ofstream(directory_ / name, std::ios::binary) << remainder(*file, random);
  }
}

}  // namespace lode
