#include "providers/files/replace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "providers/files/readable.h"

namespace lode {
namespace {

constexpr std::size_t kNamedPlaces = 10;
constexpr std::size_t kShownLine = 120;  // bytes
constexpr std::string_view kSpace = " \t\n\r\v\f";
constexpr std::string_view kBlank = " \t";

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool is_space(char c) { return kSpace.find(c) != kSpace.npos; }

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// Where the bytes are: one place more than are named, if there are so many.
std::vector<Span> places_of(std::string_view text, std::string_view wanted) {
  std::vector<Span> places;
  for (std::size_t from = 0; places.size() <= kNamedPlaces; ++from) {
    const void* found =
        ::memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
    if (found == nullptr) break;
    from = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    places.push_back({from, from + wanted.size()});
  }
  return places;
}

// ---- flexible ----

std::string squeezed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (!is_space(c)) {
      out += c;
    } else if (out.empty() || out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

// From offsets of the squeezed text to those of the text. They begin and end
// with a character that is no white space.
void trace_back(std::string_view text, std::vector<Span>& places) {
  std::size_t squeezed_at = 0;
  std::size_t at = 0;
  const auto advance = [&](std::size_t wanted) {
    for (; squeezed_at < wanted || (at < text.size() && is_space(text[at])); ++at) {
      const bool inside_run = is_space(text[at]) && at > 0 && is_space(text[at - 1]);
      squeezed_at += inside_run ? 0 : 1;
    }
  };
  for (auto& place : places) {
    // Places may overlap: each is traced from the beginning of the one before.
    advance(place.begin);
    const auto length = place.end - place.begin;
    const Span start{squeezed_at, at};
    place.begin = at;
    advance(start.begin + length - 1);
    place.end = at + 1;
    squeezed_at = start.begin;
    at = start.end;
  }
}

// How far white space around a place belongs to it: as many line ends as that
// edge of `old` has, and the blanks among them.
std::size_t take_before(std::string_view text, std::size_t at, std::string_view edge) {
  const auto blanks = [&] {
    while (at > 0 && kBlank.find(text[at - 1]) != kBlank.npos) --at;
  };
  if (edge.empty()) return at;
  for (auto lines = std::count(edge.begin(), edge.end(), '\n'); lines > 0; --lines) {
    blanks();
    if (at == 0 || text[at - 1] != '\n') return at;
    --at;
    if (at > 0 && text[at - 1] == '\r') --at;
  }
  if (edge.front() != '\n' && edge.front() != '\r') blanks();
  return at;
}

std::size_t take_after(std::string_view text, std::size_t at, std::string_view edge) {
  const auto skip = [&](std::size_t from) {
    return std::min(text.find_first_not_of(kBlank, from), text.size());
  };
  for (auto lines = std::count(edge.begin(), edge.end(), '\n'); lines > 0; --lines) {
    auto end = skip(at);
    if (text.substr(end).starts_with("\r\n")) ++end;
    if (end == text.size() || text[end] != '\n') return end;
    at = end + 1;
  }
  return !edge.empty() && edge.back() != '\n' ? skip(at) : at;
}

// As the first line tells.
bool has_crlf(std::string_view text) {
  const auto end = text.find('\n');
  return end != text.npos && end > 0 && text[end - 1] == '\r';
}

// With the line ends of the text, if it has any.
std::string with_line_ends_of(std::string_view text, std::string_view fresh) {
  if (text.find('\n') == text.npos) return std::string(fresh);
  const bool crlf = has_crlf(text);
  std::string out;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (fresh[i] == '\r' && i + 1 < fresh.size() && fresh[i + 1] == '\n') continue;
    if (fresh[i] == '\n' && crlf) out += '\r';
    out += fresh[i];
  }
  return out;
}

std::vector<Span> flexible_places(std::string_view text, std::string_view old) {
  const auto words = trimmed(old);
  if (words.empty()) return {};
  auto places = places_of(squeezed(text), squeezed(words));
  trace_back(text, places);
  return places;
}

Replacement flexible_replacement(std::string_view text, Span place, std::string_view old,
                                 std::string_view fresh) {
  const auto words = trimmed(old);
  const auto lead = static_cast<std::size_t>(words.data() - old.data());
  Replacement out;
  out.begin = take_before(text, place.begin, old.substr(0, lead));
  out.end = take_after(text, place.end, old.substr(lead + words.size()));
  out.fresh = with_line_ends_of(text, fresh);
  const bool last_line_open = out.end == text.size() && !text.ends_with('\n');
  if (last_line_open && old.ends_with('\n') && out.fresh.ends_with('\n')) {
    out.fresh.resize(out.fresh.size() - (out.fresh.ends_with("\r\n") ? 2 : 1));
  }
  return out;
}

// ---- errors ----

std::string lines_of(std::string_view text, Span place) {
  const auto first = line_at(text, place.begin);
  const auto last = first + line_at(text.substr(place.begin), place.end - place.begin) - 1;
  return first == last ? fmt::format("line {}", first) : fmt::format("lines {}-{}", first, last);
}

Error several(std::string_view text, const std::vector<Span>& places) {
  std::vector<std::size_t> lines;
  for (std::size_t i = 0; i < std::min(places.size(), kNamedPlaces); ++i) {
    lines.push_back(line_at(text, places[i].begin));
  }
  const bool more = places.size() > kNamedPlaces;
  return {Code::conflict,
          fmt::format("\"old\" is there {}{} times, in lines {}{}: add lines around it until it "
                      "is there once",
                      more ? "more than " : "", std::min(places.size(), kNamedPlaces),
                      fmt::join(lines, ", "), more ? ", …" : ""),
          {}};
}

std::string_view take_line(std::string_view& rest) {
  const auto end = std::min(rest.find('\n'), rest.size());
  const auto line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(line);
}

// Where the text goes on otherwise than `old`, if it has the first line of it.
std::string first_difference(std::string_view text, std::string_view old) {
  old.remove_prefix(std::min(old.find_first_not_of(kSpace), old.size()));
  const auto first = take_line(old);
  if (first.empty() || text.empty()) return {};
  // memmem: find() would take the product of their lengths.
  const void* found = ::memmem(text.data(), text.size(), first.data(), first.size());
  if (found == nullptr) return {};
  const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  auto number = line_at(text, at);
  auto rest = text.substr(at);
  take_line(rest);
  while (!old.empty() && !rest.empty()) {
    ++number;
    const auto have = take_line(rest);
    if (have == take_line(old)) continue;
    std::string line;
    append_cut(line, shown(std::string(have)), 0, kShownLine);
    return fmt::format("; its first line is line {}, but line {} is: {}", line_at(text, at), number,
                       line);
  }
  return fmt::format("; its first line is line {}", line_at(text, at));
}

Error absent(std::string_view text, std::string_view old, Whitespace whitespace) {
  std::string message = "\"old\" is not in the file";
  const auto flexible =
      whitespace == Whitespace::exact ? flexible_places(text, old) : std::vector<Span>();
  if (flexible.empty()) return not_found(message + first_difference(text, old));
  message += "; it differs in white space alone";
  if (has_crlf(text) && old.find('\n') != old.npos && !has_crlf(old)) {
    message += " (lines of the file end in CRLF, those of \"old\" in LF)";
  }
  message += ": whitespace: \"flexible\" would match ";
  return not_found(message +
                   (flexible.size() == 1 ? lines_of(text, flexible.front()) : "in several places"));
}

}  // namespace

Result<Replacement> find_replacement(std::string_view text, std::string_view old,
                                     std::string_view fresh, Whitespace whitespace) {
  const bool flexible = whitespace == Whitespace::flexible;
  if (old.empty()) return invalid("\"old\" is empty");
  if (flexible && trimmed(old).empty()) return invalid("\"old\" is white space alone");
  if (old == fresh) return invalid("\"old\" and \"new\" are the same");
  const auto places = flexible ? flexible_places(text, old) : places_of(text, old);
  if (places.empty()) return absent(text, old, whitespace);
  if (places.size() > 1) return several(text, places);
  auto out = flexible ? flexible_replacement(text, places.front(), old, fresh)
                      : Replacement{places.front().begin, places.front().end, std::string(fresh)};
  if (text.substr(out.begin, out.end - out.begin) == out.fresh) {
    return invalid("the file has \"new\" there already");
  }
  return out;
}

std::string replaced(std::string_view text, const Replacement& replacement) {
  std::string out;
  out.reserve(text.size() + replacement.fresh.size());
  out.append(text.substr(0, replacement.begin)).append(replacement.fresh);
  return out.append(text.substr(replacement.end));
}

}  // namespace lode
