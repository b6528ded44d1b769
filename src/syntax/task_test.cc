#include "syntax/task.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

constexpr std::string_view kText = "int a;\nint b;\n";

QueryAnswer some_answer() {
  QueryAnswer answer;
  answer.names = {"type", "name"};
  answer.matches = 2;
  answer.incomplete = "there are more";
  const Span first{.begin = 0, .end = 3, .line = 1, .column = 1, .end_line = 1, .end_column = 4};
  const Span second{.begin = 11, .end = 12, .line = 2, .column = 5, .end_line = 2, .end_column = 6};
  answer.captures = {{.match = 0, .name = 0, .span = first, .text = first.of(kText)},
                     {.match = 1, .name = 1, .span = second, .text = second.of(kText)}};
  return answer;
}

TEST(SyntaxTask, AnAnswerComesBack) {
  const auto answer = some_answer();
  const auto back = decode_answer(encode_answer(answer), kText);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->names, answer.names);
  EXPECT_EQ(back->matches, 2U);
  EXPECT_EQ(back->incomplete, answer.incomplete);
  ASSERT_EQ(back->captures.size(), 2U);
  EXPECT_EQ(back->captures[1].span, answer.captures[1].span);
  EXPECT_EQ(back->captures[1].text, "b");
  EXPECT_EQ(back->captures[1].name, 1U);
}

TEST(SyntaxTask, MentionsComeBack) {
  const std::vector<Span> spans{some_answer().captures[0].span, some_answer().captures[1].span};
  EXPECT_EQ(decode_mentions(encode_mentions(spans), kText), spans);
  EXPECT_EQ(decode_mentions(encode_mentions({}), ""), std::vector<Span>());
}

TEST(SyntaxTask, OptionsComeBack) {
  const auto back = decode_options(encode_options(
      {.compact = true, .max_depth = 7, .use_symbol_table = false, .include_semantic_hash = true}));
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->compact);
  EXPECT_EQ(back->max_depth, 7U);
  EXPECT_FALSE(back->use_symbol_table);
  EXPECT_TRUE(back->include_semantic_hash);
  EXPECT_EQ(decode_options(encode_options({}))->max_depth, std::nullopt);
  EXPECT_FALSE(decode_options("\x10"));
  EXPECT_FALSE(decode_options(""));
}

// Whatever a worker answers, no place is outside the text and no name is missing.
void expect_sound(const std::optional<QueryAnswer>& answer, std::string_view text) {
  if (!answer) return;
  for (const auto& capture : answer->captures) {
    EXPECT_LT(capture.name, answer->names.size());
    EXPECT_LT(capture.match, answer->matches);
    EXPECT_LE(capture.span.begin, capture.span.end);
    EXPECT_LE(capture.span.end, text.size());
    EXPECT_EQ(capture.text, text.substr(capture.span.begin, capture.span.end - capture.span.begin));
  }
}

TEST(SyntaxTask, WrongBytesGiveNothingWrong) {
  const auto bytes = encode_answer(some_answer());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(decode_answer(std::string_view(bytes).substr(0, i), kText)) << i;
    for (int value = 0; value < 256; ++value) {
      auto other = bytes;
      other[i] = static_cast<char>(value);
      expect_sound(decode_answer(other, kText), kText);
      expect_sound(decode_answer(other, kText.substr(0, 5)), kText.substr(0, 5));
    }
  }
  EXPECT_FALSE(decode_answer(bytes + '\0', kText));
  EXPECT_FALSE(decode_mentions("\xff\xff\xff\xff\x0f", kText))
      << "no room is made for what is said";
}

}  // namespace
}  // namespace lode
