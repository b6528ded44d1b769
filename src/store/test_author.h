// For tests: documents and values at random.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/json.h"
#include "store/document.h"

namespace lode {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& of(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::mt19937 engine_;
};

inline const std::vector<std::string> kWords = {"alpha", "beta", "two words", "v1.0.0",
                                                "naïve", "it's", "x:y"};

// Writes a document by hand, as people do.
class Author {
 public:
  Author(Random& random, bool anchors)
      : random_(random), anchors_(anchors), eol_(random.one_in(3) ? "\r\n" : "\n") {}

  std::string document(DocumentForm form) {
    map(0, 0);
    if (form == DocumentForm::yaml) {
      if (random_.one_in(4)) out_.resize(out_.size() - eol_.size());
      return out_;
    }
    const std::string bom = random_.one_in(5) ? "\xEF\xBB\xBF" : "";
    const std::string fence = "---" + eol_;
    return bom + fence + out_ + fence +
           (random_.one_in(3) ? "" : "body" + eol_ + "---" + eol_ + "end");
  }

 private:
  void comments(std::size_t column) {
    if (random_.one_in(4))
      out_ += std::string(column, ' ') + "# note: " + random_.of(kWords) + eol_;
    if (random_.one_in(6)) out_ += eol_;
  }
  void end_line() { out_ += (random_.one_in(3) ? " # c " + random_.of(kWords) : "") + eol_; }

  std::string scalar(bool in_flow) {
    static const std::vector<std::string> kFlow = {
        "1", "-2.5", "true", "null", "word", "'a, b'", "''", "\"c \\\" d\"", "\"{\"", "'é'"};
    static const std::vector<std::string> kBlock = {
        "two words", "2024-01-02", "it's", "1.2.3", "~", "http://a/b#c", "'x''y'", "!!str 5", "no"};
    return in_flow || random_.one_in(2) ? random_.of(kFlow) : random_.of(kBlock);
  }

  std::string flow(int depth) {
    const bool map = random_.one_in(2);
    std::string out = map ? "{" : "[";
    const auto count = random_.below(4);
    const std::string gap = random_.one_in(5)   ? eol_ + "          "
                            : random_.one_in(4) ? "  "
                                                : " ";
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += "," + gap;
      if (map) out += "f" + std::to_string(i) + ": ";
      out += depth < 2 && random_.one_in(4) ? flow(depth + 1) : scalar(true);
    }
    return out + (map ? "}" : "]");
  }

  void block_scalar(std::size_t column) {
    const std::string indent(column, ' ');
    out_ += random_.of(std::vector<std::string>{"|", "|-", "|+", ">", ">-"});
    end_line();
    for (auto n = 1 + random_.below(3); n > 0; --n) {
      out_ += indent + random_.of(kWords) + eol_;
      if (n > 1 && random_.one_in(4)) out_ += eol_;
      if (n > 1 && random_.one_in(6)) out_ += indent + "  deeper" + eol_;
    }
    if (random_.one_in(4)) out_ += eol_;
  }

  // Behind "key:" or "-", at whose column it stands.
  void value(std::size_t column, int depth, bool item) {
    const auto kind = random_.below(depth < 3 ? 9 : 6);
    if (kind == 0) return end_line();
    out_ += ' ';
    if (anchors_ && random_.one_in(4)) {
      if (!names_.empty() && random_.one_in(2)) {
        out_ += "*" + random_.of(names_);
        return end_line();
      }
      names_.push_back("n" + std::to_string(names_.size()));
      out_ += "&" + names_.back() + " " + (random_.one_in(2) ? scalar(false) : flow(0));
      return end_line();
    }
    if (kind < 4) {
      out_ += scalar(false);
      return end_line();
    }
    if (kind == 4) {
      out_ += flow(0);
      return end_line();
    }
    if (kind == 5) return block_scalar(column + 2 + random_.below(2));
    if (item)
      return kind == 6 ? list(column + 2, depth + 1, true) : map(column + 2, depth + 1, true);
    end_line();
    if (kind == 6) return list(column + 2 * random_.below(3), depth + 1);
    map(column + 2 + random_.below(3), depth + 1);
  }

  void map(std::size_t column, int depth, bool compact = false) {
    for (std::size_t i = 0; i < 1 + random_.below(4); ++i) {
      if (!compact) comments(column);
      if (!compact) out_ += std::string(column, ' ');
      compact = false;
      const std::string key = "k" + std::to_string(i);
      out_ += random_.one_in(8) ? "'" + key + "'" : random_.one_in(8) ? "\"" + key + "\"" : key;
      out_ += ":";
      value(column, depth, false);
    }
  }
  void list(std::size_t column, int depth, bool compact = false) {
    for (std::size_t i = 0; i < 1 + random_.below(4); ++i) {
      if (!compact) comments(column);
      if (!compact) out_ += std::string(column, ' ');
      compact = false;
      out_ += "-";
      value(column, depth, true);
    }
  }

  Random& random_;
  bool anchors_;
  std::string eol_;
  std::string out_;
  std::vector<std::string> names_;
};

inline Json any_value(Random& random, int depth = 0) {
  static const std::vector<std::string> kTexts = {
      "plain",
      "true",
      "1.0",
      "2024-05-06",
      "- x",
      "a: b",
      "#x",
      "",
      " lead",
      "trail ",
      "\x01\x7f",
      "two\nlines",
      "ends\n",
      "  deep\nlines\n",
      "\n",
      "many\n\n\nbreaks\n\n",
      "it's \"both\"",
      "a,b]",
      "é\xE2\x80\xA8",
      "\ttab",
      "x\ty\n",
      "long words that go on and on until the line is far longer "
      "than eighty characters are"};
  switch (random.below(depth < 2 ? 8 : 5)) {
    case 0: return nullptr;
    case 1: return random.one_in(2);
    case 2: return static_cast<std::int64_t>(random.below(100)) - 50;
    case 3: return static_cast<double>(random.below(100)) / 8;
    case 5: {
      JsonArray list;
      for (auto n = random.below(4); n > 0; --n) list.push_back(any_value(random, depth + 1));
      return list;
    }
    case 6: {
      JsonObject map;
      for (auto n = random.below(4); n > 0; --n) {
        map["m" + random.of(kTexts)] = any_value(random, depth + 1);
      }
      return map;
    }
    default: return Json(random.of(kTexts));
  }
}

}  // namespace lode
