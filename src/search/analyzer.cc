#include "search/analyzer.h"

#include <libstemmer.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <new>

#include "search/stop_words.h"
#include "search/words.h"

namespace lode {
namespace {

bool is_plain(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

struct StemmerDeleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

// Each thread keeps one.
sb_stemmer& stemmer() {
  static thread_local std::unique_ptr<sb_stemmer, StemmerDeleter> kept(
      sb_stemmer_new("english", "UTF_8"));
  if (!kept) throw std::bad_alloc();
  return *kept;
}

// Valid until the next call on this thread.
std::string_view stem(std::string_view word) {
  if (!is_plain(word)) return word;
  auto& with = stemmer();
  const auto* stem = sb_stemmer_stem(&with, reinterpret_cast<const sb_symbol*>(word.data()),
                                     static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(&with))};
}

// Whether a word is all of a name, but for marks around it: "init" of "__init__".
bool covers(std::string_view name, std::string_view word) {
  const auto begin = static_cast<std::size_t>(word.data() - name.data());
  const auto is_mark = [](char c) {
    return static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c)) == 0;
  };
  const auto before = name.substr(0, begin);
  const auto after = name.substr(begin + word.size());
  return std::ranges::all_of(before, is_mark) && std::ranges::all_of(after, is_mark);
}

}  // namespace

void analyze(std::string_view text, const std::function<void(const Term&)>& sink) {
  split_words(text, [&](std::string_view folded, std::string_view surface) {
    const bool stop = is_stop_word(folded);
    sink({stop ? folded : stem(folded), surface, stop});
  });
}

bool shows_better(std::string_view surface, std::string_view than) {
  // Lower case comes after upper case, in ASCII and in most of Unicode.
  return surface.size() != than.size() ? surface.size() < than.size() : surface > than;
}

void TermBag::add(std::string_view text, std::uint32_t weight, StopWords stop_words) {
  // Room for the terms of a usual text, so that its table is made once; a long one repeats itself.
  constexpr std::size_t kBytesOfTerm = 8;
  constexpr std::size_t kMostAtFirst = 1024;
  entries_.reserve(entries_.size() + std::min(text.size() / kBytesOfTerm, kMostAtFirst));
  analyze(text, [&](const Term& term) {
    if (term.stop && stop_words == StopWords::drop) return;
    auto found = entries_.find(term.text);
    if (found == entries_.end()) found = entries_.try_emplace(std::string(term.text)).first;
    auto& entry = found->second;
    if (entry.count == 0 || shows_better(term.surface, entry.surface)) entry.surface = term.surface;
    entry.stop = term.stop && (entry.count == 0 || entry.stop);
    entry.count += weight;
    ++length_;
  });
}

void TermBag::add_name(std::string_view name, std::uint32_t weight) {
  std::string last;  // the whole comes after its parts
  std::string_view surface;
  analyze(name, [&](const Term& term) {
    last = term.text;
    surface = term.surface;
  });
  if (const auto found = entries_.find(last); found != entries_.end() && covers(name, surface)) {
    found->second.count += weight;
  }
}

void TermBag::drop_stop_words() {
  const auto is_stop = [](const auto& item) { return item.second.stop; };
  if (std::all_of(entries_.begin(), entries_.end(), is_stop)) return;
  erase_if(entries_, is_stop);
}

}  // namespace lode
