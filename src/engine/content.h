// What a provider gives back: contents, another server's answer as it is, or
// the wish to ask the client first.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/tokens.h"

namespace lode {

class Policy;
struct Member;      // engine/catalog.h
struct ListedPage;  // engine/listed_page.h

// Where contents come from: Content::origin.
inline constexpr std::string_view kOfWorkspace = "workspace";
inline constexpr std::string_view kOfUser = "user";

// Whether a content may be shared between callers.
enum class Scope { private_, public_ };

// One piece of content. The same type serves a resource's content, a block of
// a tool's answer and a prompt's message; what it becomes on the wire follows
// from its fields:
//   text or binary with a uri     a resource's content, or an embedded resource
//   text without a uri            plain text
//   binary image/*, audio/*       an image, a sound
//   link                          a pointer to a resource, with name and mime
struct Content {
  enum class Form { text, binary, link };

  Form form = Form::text;
  std::string uri;    // percent-encoded; empty: that of the resource, or none
  std::string mime;   // empty: unknown
  std::string bytes;  // text (valid UTF-8) or raw bytes, by form

  std::string name;         // links only
  std::string description;  // links only
  bool from_user = true;    // prompts only: whose message it is

  std::string version;  // hash or revision
  // Whose text it is, so that a host can distrust what is foreign: "workspace",
  // "user"; empty: Lode's own.
  std::string_view origin{};
  std::optional<std::chrono::system_clock::time_point> modified;  // last change

  static Content text(std::string text);
  static Content binary(std::string mime, std::string bytes);
};

struct Contents {
  static constexpr std::chrono::milliseconds kUntilChanged = std::chrono::hours(24);

  std::vector<Content> items;

  // Resources: how long the contents may be kept if nothing that they were made
  // from changes (0: not at all), and between whom. The engine cuts it to what
  // the configuration allows.
  std::chrono::milliseconds ttl = kUntilChanged;
  Scope scope = Scope::private_;
  // Resources: computed, so that a client may keep them for the rest of their
  // time; what is read from files and records is asked for each time.
  bool generated = false;
  // Resources: a number that differs whenever what stands at the address does, as it
  // was before the contents were read, and how it is found out again before they are
  // given out of the cache: on the transport's thread, so that it takes no lock and
  // waits for nothing; perhaps when the provider has gone, so that it refers to nothing
  // of it. 0: the provider announces every change itself.
  std::uint64_t stamp = 0;
  std::function<std::uint64_t()> stamp_now{};
  // Resources: the addresses of the file that is shown, under the name that it is
  // known by and where it really was when it was opened; and FileBehind::is_the_file.
  // The engine adds what it knows.
  std::vector<std::string> files{};
  bool is_the_file = false;
  // Resources: the policy that said what is left out of them, if it was asked; the
  // engine's. Under another one they are made anew.
  std::shared_ptr<const Policy> decided_by{};
  // Resources: the provider as it was when it gave them, and the revision of the catalog that it
  // was found in; the engine's. They are given out only while it answers for the address.
  std::weak_ptr<const Member> made_by{};
  std::uint64_t catalog_revision = 0;
  // Resources: how long the file is that these show a part or an aspect of; 0: they show none,
  // or all of it.
  std::size_t whole_bytes = 0;
  // Resources: other addresses whose change outdates these contents.
  std::vector<std::string> made_from;

  // Tools: the answer as data (it fits the tool's output schema), and whether
  // the tool failed in a way that its caller can mend.
  std::optional<Json> structured;
  bool failed = false;

  // What the texts cost a model, if somebody has counted already.
  std::optional<TokenCount> tokens{};

  // Lists: a page of resources, and nothing else; the engine's.
  std::shared_ptr<const ListedPage> page{};

  // Prompts.
  std::string description;
};

// Whether what stands at the address is still what was read, by the stamp.
bool is_as_read(const Contents& contents);

// What the texts of the contents cost a model; bytes cost nothing that can be
// counted. Long texts are estimated. Slow: not for the transport's thread.
TokenCount count_tokens(const Contents& contents, std::size_t limit = kCountedBytes);

// A result of another MCP server, as the JSON text it sent.
struct Verbatim {
  std::string json;
};

// A question to the client or its user. The kinds are the client's abilities.
struct Question {
  enum class Kind { elicit_form, elicit_url, sample, list_roots };

  Kind kind = Kind::elicit_form;
  Json params;  // as the client's method of that kind takes them
};

// The work cannot be finished without input: ask these, then the same request
// comes again with Exchange::answers. The state comes back unseen and unaltered
// by the client.
struct NeedsInput {
  std::map<std::string, Question> questions;
  std::string state;
};

using Outcome = std::variant<Contents, Verbatim, NeedsInput>;

}  // namespace lode
