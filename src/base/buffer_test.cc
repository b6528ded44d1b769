#include "base/buffer.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace lode {
namespace {

std::string sample(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 + i / 977);
  return bytes;
}

class BufferTest : public testing::Test {
 protected:
  BufferTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lode-buffer-XXXXXX").string();
    directory = ::mkdtemp(pattern.data());
  }
  ~BufferTest() override { std::filesystem::remove_all(directory); }

  std::string write(const char* name, const std::string& bytes) const {
    const auto file = (directory / name).string();
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  static Descriptor open(const std::string& file) {
    return Descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  }

  std::filesystem::path directory;
};

TEST_F(BufferTest, HoldsTheFirstBytesWhenTruncated) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, (std::size_t{3} << 20) + 7}) {
    const auto bytes = sample(size);
    const auto file = write("file", bytes);
    for (const std::size_t kept : {size, size / 2, size / 9, std::size_t{0}}) {
      auto copy = Buffer::copy_of(bytes);
      auto read = Buffer::of_file(open(file), size);
      ASSERT_TRUE(read);
      for (auto* buffer : {&copy, &*read}) {
        EXPECT_EQ(buffer->view(), bytes);
        const auto first = buffer->view().substr(0, kept);
        buffer->truncate(kept);
        EXPECT_EQ(buffer->view(), bytes.substr(0, kept));
        EXPECT_EQ(buffer->view().data(), first.data());
      }
    }
  }
}

TEST_F(BufferTest, AFileThatIsReplacedStays) {
  const auto bytes = sample(std::size_t{2} << 20);
  const auto file = write("file", bytes);
  const auto buffer = Buffer::of_file(open(file), bytes.size());
  ASSERT_TRUE(buffer);
  std::filesystem::rename(write("other", "short"), file);
  EXPECT_EQ(buffer->view(), bytes);
}

TEST_F(BufferTest, AFileThatIsShorterIsAnError) {
  EXPECT_FALSE(Buffer::of_file(open(write("file", "abc")), 4));
  EXPECT_FALSE(Buffer::of_file(open(directory.string()), 4));
}

}  // namespace
}  // namespace lode
