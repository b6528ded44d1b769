#include "server/resource_body.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/base64.h"
#include "base/credentials.h"
#include "base/utf8.h"

namespace lode {
namespace {

constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::string_view kUnknown = "application/octet-stream";
constexpr std::size_t kLongestExtension = 16;

std::string_view type_of(const Content& content) {
  if (!content.mime.empty()) return content.mime;
  return content.form == Content::Form::text ? "text/plain" : kUnknown;
}

std::string_view last_segment(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  });
  return out;
}

// Of a name; a file that is all ending (".gitignore") has none.
std::string extension_in(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || name.size() - dot - 1 > kLongestExtension) return "";
  const bool plain = std::ranges::all_of(name.substr(dot + 1), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
  return plain ? lower(name.substr(dot + 1)) : "";
}

// A media type without parameters, as RFC 9110 spells it. It stands in a header.
bool is_media_type(std::string_view type) {
  const auto is_token = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             std::string_view("!#$&^_.+-").find(c) != std::string_view::npos;
    });
  };
  const auto slash = type.find('/');
  return slash != type.npos && is_token(type.substr(0, slash)) && is_token(type.substr(slash + 1));
}

// What is made of a file, as JSON or markdown, is not what the file's name says; and a plain text
// may have any name.
struct Endings {
  std::string_view type;
  std::string_view first;
  std::string_view second;
  bool any = false;
};
constexpr std::array<Endings, 3> kEndings{{{kMarkdown, "md", "markdown"},
                                           {"application/json", "json", "json"},
                                           {"text/plain", "txt", "txt", true}}};

std::string_view error_name(int status) {
  switch (status) {
    case 400: return "Invalid request";
    case 401: return "Unauthorized";
    case 403: return "Not permitted";
    case 404: return "Resource not found";
    case 405: return "Method not allowed";
    case 416: return "Range not satisfiable";
    case 422: return "Resource cannot be shown";
    case 503: return "Busy";
    default: return "Resource failed";
  }
}

void write_text(JsonWriter& w, const Content& content, const ResourceFiles& files) {
  const bool markdown = content.mime == kMarkdown && files.split_markdown;
  const std::string_view text = content.bytes;
  auto parts = markdown ? files.split_markdown(text) : MarkdownParts();
  const auto body = parts ? std::min(parts->body, text.size()) : 0;
  w.member("content", text.substr(body)).member("encoding", "utf-8");
  w.member("frontmatter", Json(parts ? std::move(parts->frontmatter) : JsonObject()));
  if (!parts) w.member("problem", "the frontmatter cannot be read: " + parts.error().message);
}

}  // namespace

std::string extension_of(std::string_view path, std::string_view uri, std::string_view mime) {
  auto found = extension_in(last_segment(path));
  if (path.empty()) found = extension_in(last_segment(uri.substr(0, uri.find('?'))));
  for (const auto& each : kEndings) {
    if (mime != each.type) continue;
    const bool suits = each.any ? !found.empty() : found == each.first || found == each.second;
    return suits ? found : std::string(each.first);
  }
  return found;
}

std::string resource_json(const ResourceShown& shown, const ResourceFiles& files) {
  const Content& content = shown.content;
  const auto type = type_of(content);
  std::string out;
  JsonWriter w(out);
  w.begin_object();
  if (content.form == Content::Form::text) {
    write_text(w, content, files);
  } else {
    w.member("content", base64_encode(content.bytes)).member("encoding", "base64");
    w.raw_member("frontmatter", "{}");
  }
  w.member("type", type);
  w.key("path");
  shown.path.empty() ? w.null() : w.value(shown.path);
  w.member("uri", shown.uri).member("ext", extension_of(shown.path, shown.uri, type));
  w.member("size", static_cast<std::int64_t>(content.bytes.size()));
  w.member_if("version", content.version).member_if("origin", content.origin);
  if (content.modified) {
    const auto time = std::chrono::system_clock::to_time_t(*content.modified);
    w.member("modified", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time)));
  }
  w.member_if("notice", shown.notice);
  w.end_object();
  return out;
}

// What was asked for is repeated, but for credentials and what no JSON can hold.
std::string resource_error_json(int status, std::string_view uri, std::string_view message) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("error", error_name(status));
  w.member("uri", valid_utf8(uri) ? without_credentials(uri) : visible(uri));
  w.member("message", valid_utf8(message) ? std::string(message) : visible(message));
  w.end_object();
  return out;
}

int resource_status(Code code) {
  switch (code) {
    case Code::invalid: return 400;
    case Code::not_found: return 404;
    case Code::denied: return 403;
    case Code::unsupported: return 422;
    case Code::conflict: return 409;
    case Code::unavailable: return 503;
    case Code::cancelled:
    case Code::timeout:
    case Code::internal: return 500;
  }
  return 500;
}

HttpResponse resource_refusal(const Error& error, std::string_view uri) {
  const int status = resource_status(error.code);
  HttpResponse response{status,
                        {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
                        resource_error_json(status, uri, error.message)};
  if (status == 503) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(error.retry_after).count();
    response.headers.emplace_back("Retry-After", std::to_string(std::max<long>(1, seconds)));
  }
  return response;
}

Result<QueryParameters> parse_parameters(std::string_view query) {
  std::string encoded;
  for (const char c : query) c == '+' ? encoded.append("%20") : encoded.append(1, c);
  return parse_query(encoded);
}

std::string raw_type(const Content& content) {
  const auto type = type_of(content);
  if (type == "inode/directory") return "text/plain; charset=utf-8";
  if (!is_media_type(type)) return std::string(kUnknown);
  const bool text = content.form == Content::Form::text && type.starts_with("text/");
  return std::string(type) + (text ? "; charset=utf-8" : "");
}

bool only_for_saving(std::string_view type) {
  const auto name = lower(type);
  return std::ranges::any_of(std::array<std::string_view, 4>{"html", "xml", "svg", "xsl"},
                             [&](auto word) { return name.find(word) != name.npos; });
}

std::string saving_as(std::string_view path_or_uri) {
  const auto path = path_or_uri.substr(0, path_or_uri.find('?'));
  const auto name = decode(last_segment(path));
  if (!name || name->empty()) return "attachment";
  return "attachment; filename*=UTF-8''" + encode_component(*name);
}

Result<Contents> contents_of(const Verbatim& verbatim) {
  const auto document = JsonDocument::parse(verbatim.json);
  if (!document) return internal("the plugin sent no JSON");
  Contents contents;
  bool whole = true;
  document->root()["contents"].each([&](JsonView item) {
    Content content;
    content.uri = item["uri"].string().value_or("");
    content.mime = item["mimeType"].string().value_or("");
    const auto text = item["text"].string();
    const auto blob = item["blob"].string();
    auto bytes = blob ? base64_decode(*blob) : std::nullopt;
    whole = whole && (text || bytes);
    content.form = text ? Content::Form::text : Content::Form::binary;
    content.bytes = text ? std::string(*text) : std::move(bytes).value_or("");
    contents.items.push_back(std::move(content));
  });
  if (!whole || contents.items.empty()) return internal("the plugin sent no contents");
  return contents;
}

}  // namespace lode
