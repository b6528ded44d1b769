#include "providers/capability/template_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.h"
#include "providers/capability/template_helpers.h"

namespace lode {
namespace {

using Kind = TemplateExpression::Kind;

constexpr std::size_t kDepth = 8;  // of parentheses
constexpr std::array<std::string_view, 6> kOfLoop{"this",   "@index", "@key",
                                                  "@first", "@last",  "@root"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_plain_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && !text.starts_with('.') && std::all_of(text.begin(), text.end(), fits);
}

std::optional<TemplateExpression> name_of(std::string_view word) {
  TemplateExpression out;
  while (word.starts_with("../")) {
    word.remove_prefix(3);
    ++out.up;
  }
  if (word.starts_with("./")) word.remove_prefix(2);
  if (word == "..") ++out.up;
  if (word == "." || word == "..") word = "this";
  out.text = word;
  if (!word.starts_with('@')) {
    return is_plain_name(word) ? std::optional(std::move(out)) : std::nullopt;
  }
  const bool known = is_of_loop(first_step(word)) && is_plain_name(word.substr(1));
  return known ? std::optional(std::move(out)) : std::nullopt;
}

// A number, true, false or null.
std::optional<TemplateExpression> plain_literal(std::string_view word) {
  const bool number = word.find_first_not_of("-0123456789.") == word.npos;
  if (!number && word != "true" && word != "false" && word != "null") return std::nullopt;
  auto value = parse_json(word);
  if (!value) return std::nullopt;
  TemplateExpression out;
  out.kind = Kind::literal;
  out.literal = std::move(*value);
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) { skip_blanks(); }

  // A helper and its arguments, up to the end or a ")".
  Result<TemplateExpression> call() {
    TemplateExpression out;
    out.kind = Kind::call;
    out.text = word();
    while (!at_end() && text_[at_] != ')') {
      auto one = argument();
      if (!one) return std::move(one).error();
      out.arguments.push_back(std::move(*one));
    }
    if (auto known = check_helper(out.text, out.arguments.size()); !known) {
      return std::move(known).error();
    }
    return out;
  }

  Result<TemplateExpression> argument() {
    const char first = text_[at_];
    if (first == '(') return in_parentheses();
    if (first == '"' || first == '\'') return quoted(first);
    const auto said = word();
    if (auto literal = plain_literal(said)) return std::move(*literal);
    if (auto name = name_of(said)) return std::move(*name);
    return invalid(said.empty() ? "" : fmt::format("\"{}\" is no name", cut_text(said, 60)));
  }

  bool at_end() const { return at_ == text_.size(); }

 private:
  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }

  std::string_view word() {
    const auto begin = at_;
    while (!at_end() && !is_blank(text_[at_]) && text_[at_] != '(' && text_[at_] != ')') ++at_;
    const auto end = at_;
    skip_blanks();
    return text_.substr(begin, end - begin);
  }

  Result<TemplateExpression> quoted(char quote) {
    const auto end = text_.find(quote, at_ + 1);
    if (end == text_.npos) return invalid(fmt::format("{} has no second one", quote));
    TemplateExpression out;
    out.kind = Kind::literal;
    const auto text = text_.substr(at_ + 1, end - at_ - 1);
    out.literal = boost::json::string_view(text.data(), text.size());
    at_ = end + 1;
    skip_blanks();
    return out;
  }

  Result<TemplateExpression> in_parentheses() {
    if (++depth_ > kDepth) return invalid(fmt::format("parentheses are deeper than {}", kDepth));
    ++at_;
    skip_blanks();
    auto out = call();
    if (!out) return out;
    if (at_end()) return invalid("( has no )");
    ++at_;
    skip_blanks();
    --depth_;
    return out;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Result<TemplateExpression> parse_expression(std::string_view text) {
  if (auto name = name_of(text)) return std::move(*name);
  if (text.find_first_of(" \t\r\n") == text.npos) return invalid("");
  Reader reader(text);
  auto call = reader.call();
  if (call && !reader.at_end()) return invalid(") has no (");
  return call;
}

Result<TemplateExpression> parse_subject(std::string_view text) {
  if (auto name = name_of(text)) return std::move(*name);
  if (!text.starts_with('(')) return invalid("");
  Reader reader(text);
  auto one = reader.argument();
  if (one && !reader.at_end()) return invalid("");
  return one;
}

void each_name(const TemplateExpression& expression,
               const std::function<void(const TemplateExpression&)>& visit) {
  if (expression.kind == Kind::name) visit(expression);
  for (const auto& argument : expression.arguments) each_name(argument, visit);
}

std::string_view first_step(std::string_view name) { return name.substr(0, name.find('.')); }

bool is_of_loop(std::string_view first_step) {
  return std::find(kOfLoop.begin(), kOfLoop.end(), first_step) != kOfLoop.end();
}

}  // namespace lode
