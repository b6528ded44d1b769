#include "store/yaml_write.h"

#include <fmt/format.h>

#include <cmath>

namespace lode {
namespace {

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

// A dot always, so that it stays a number that is no integer, to YAML 1.1 too.
std::string number_text(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number < 0 ? "-.inf" : ".inf";
  std::string text = fmt::format("{}", number);
  if (text.find('.') == text.npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

std::string string_text(std::string_view text, bool in_flow) {
  if (auto plain = yaml_string(text, YamlStyle::plain, in_flow, {}, {})) return plain->head;
  const bool escapes = text.find_first_of("\"\\") != text.npos && text.find('\'') == text.npos;
  const auto style = escapes ? YamlStyle::single_quoted : YamlStyle::double_quoted;
  if (auto quoted = yaml_string(text, style, in_flow, {}, {})) return quoted->head;
  return yaml_string(text, YamlStyle::double_quoted, in_flow, {}, {})->head;
}

// A scalar, or an empty list or map, on one line.
std::string inline_text(const Json& value, bool in_flow) {
  switch (value.kind()) {
    case boost::json::kind::null: return "null";
    case boost::json::kind::bool_: return value.get_bool() ? "true" : "false";
    case boost::json::kind::int64: return fmt::format("{}", value.get_int64());
    case boost::json::kind::uint64: return fmt::format("{}", value.get_uint64());
    case boost::json::kind::double_: return number_text(value.get_double());
    case boost::json::kind::string: return string_text(view(value.get_string()), in_flow);
    case boost::json::kind::array: return "[]";
    case boost::json::kind::object: return "{}";
  }
  return "null";
}

bool is_filled(const Json& value) {
  return (value.is_object() && !value.get_object().empty()) ||
         (value.is_array() && !value.get_array().empty());
}

class BlockWriter {
 public:
  explicit BlockWriter(const YamlLayout& layout) : layout_(layout) {}

  // What stands behind a colon or a dash, with the blank before it.
  void value(const Json& value, const YamlPlace& place) {
    if (is_filled(value)) return collection(value, place);
    if (const auto* text = value.if_string(); text && view(*text).find('\n') != view(*text).npos) {
      if (auto block = yaml_string(view(*text), YamlStyle::literal, false, place, layout_)) {
        out_.append(" ").append(block->head).append(layout_.eol).append(block->tail);
        return;
      }
    }
    out_.append(" ").append(inline_text(value, false)).append(layout_.eol);
  }

  void members(const JsonObject& map, std::size_t column, bool first_here) {
    for (const auto& [key, member] : map) {
      if (!first_here) out_.append(column, ' ');
      first_here = false;
      out_.append(yaml_key({key.data(), key.size()})).append(":");
      value(member, {column, false, {}});
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void items(const JsonArray& list, std::size_t column, bool first_here) {
    for (const auto& item : list) {
      if (!first_here) out_.append(column, ' ');
      first_here = false;
      out_ += '-';
      value(item, {column, true, {}});
    }
  }

  void collection(const Json& value, const YamlPlace& place) {
    const auto step = place.item ? 2 : value.is_object() ? layout_.indent : layout_.list_indent;
    const auto column = place.children.value_or(place.column + step);
    if (place.item) {
      out_.append(column - place.column - 1, ' ');
    } else {
      out_ += layout_.eol;
    }
    if (value.is_object()) {
      members(value.get_object(), column, place.item);
    } else {
      items(value.get_array(), column, place.item);
    }
  }

  const YamlLayout& layout_;
  std::string out_;
};

void append_flow(std::string& out, const Json& value) {
  if (!is_filled(value)) {
    out += inline_text(value, true);
    return;
  }
  out += value.is_object() ? '{' : '[';
  std::string_view comma;
  if (const auto* map = value.if_object()) {
    for (const auto& [key, member] : *map) {
      out.append(comma).append(yaml_key({key.data(), key.size()}, true)).append(": ");
      append_flow(out, member);
      comma = ", ";
    }
  } else {
    for (const auto& item : value.get_array()) {
      out += comma;
      append_flow(out, item);
      comma = ", ";
    }
  }
  out += value.is_object() ? '}' : ']';
}

}  // namespace

std::string yaml_key(std::string_view key, bool in_flow) { return string_text(key, in_flow); }

YamlText yaml_block(const Json& value, const YamlPlace& place, const YamlLayout& layout) {
  BlockWriter writer(layout);
  writer.value(value, place);
  const std::string text = writer.take();
  const auto end = text.find(layout.eol);
  const auto begin = std::min(text.find_first_not_of(' '), end);
  return {text.substr(begin, end - begin), text.substr(end + layout.eol.size())};
}

std::string yaml_flow(const Json& value) {
  std::string out;
  append_flow(out, value);
  return out;
}

std::string to_yaml(const JsonObject& map, const YamlLayout& layout) {
  BlockWriter writer(layout);
  writer.members(map, 0, false);
  return writer.take();
}

}  // namespace lode
