// What GET /mcp/resource answers, as text: pure functions on values.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "base/uri.h"
#include "engine/content.h"
#include "transport/http_reply.h"

namespace lode {

// A markdown text whose frontmatter was read.
struct MarkdownParts {
  JsonObject frontmatter;
  std::size_t body = 0;  // where the body begins
};

// What is known of files, which the server itself sees nothing of. Both may block; any thread.
struct ResourceFiles {
  // Code::invalid: the frontmatter is none, and why.
  std::function<Result<MarkdownParts>(std::string_view text)> split_markdown;
  // The path by which a file of the workspace is known to who may not know where the workspace
  // is. Empty: it is no file of the workspace.
  std::function<std::string(const std::string& absolute)> short_path;
};

// One content, as it is to be shown.
struct ResourceShown {
  const Content& content;
  std::string_view uri;       // as it was asked for
  std::string_view path;      // of the file behind it; empty: there is none, or it is not told
  std::string_view notice{};  // a word about what is shown instead; empty: it is itself
};

// The JSON object of the answer. Frontmatter that cannot be read stays in the content, and
// "problem" says why.
std::string resource_json(const ResourceShown& shown, const ResourceFiles& files);

// {"error","uri","message"} of a refusal.
std::string resource_error_json(int status, std::string_view uri, std::string_view message);

// The HTTP status of an error outside of /mcp.
int resource_status(Code code);

// The whole refusal.
HttpResponse resource_refusal(const Error& error, std::string_view uri);

// The parameters of a request (without the '?'). A "+" is a blank, as forms and curl write it.
Result<QueryParameters> parse_parameters(std::string_view query);

// The ending of a file's name, in lower case and without the dot; one that suits the type, if
// there is none or the type is that of something else, as of a task's JSON.
std::string extension_of(std::string_view path, std::string_view uri, std::string_view mime);

// The Content-Type under which raw bytes are sent: what is no media type is
// application/octet-stream, and directories are text.
std::string raw_type(const Content& content);

// Whether a browser would run, or take apart, what it is sent: such a type is only for saving.
bool only_for_saving(std::string_view type);

// The Content-Disposition of that, with the name of the file that the path or the address ends
// with.
std::string saving_as(std::string_view path_or_uri);

// A resource's contents as another server sent them. Code::internal: they are none.
Result<Contents> contents_of(const Verbatim& verbatim);

}  // namespace lode
