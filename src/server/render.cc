#include "server/render.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "engine/listed_page.h"
#include "protocol/mcp.h"

namespace lode {
namespace {

using Clock = std::chrono::system_clock;

// Shorter texts are copied: that costs less than another piece to send.
constexpr std::size_t kShared = 4096;

std::string iso_time(Clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(Clock::to_time_t(time)));
}

bool has_titles(Revision r) { return r >= Revision::v2025_06_18; }
bool has_meta(Revision r) { return r >= Revision::v2025_06_18; }
bool has_links(Revision r) { return r >= Revision::v2025_06_18; }
bool has_structure(Revision r) { return r >= Revision::v2025_06_18; }
bool has_hints(Revision r) { return r >= Revision::v2025_03_26; }
bool has_audio(Revision r) { return r >= Revision::v2025_03_26; }

bool object_schema(const Json& schema) {
  const auto* object = schema.if_object();
  const auto* type = object == nullptr ? nullptr : object->if_contains("type");
  return type != nullptr && type->is_string() && type->get_string() == "object";
}

void write_modified(JsonWriter& w, const std::optional<Clock::time_point>& modified, Revision r) {
  if (!modified || r < Revision::v2025_06_18) return;
  w.key("annotations").begin_object().member("lastModified", iso_time(*modified)).end_object();
}

void write_entry(JsonWriter& w, const Entry& entry, Revision r) {
  w.begin_object().member("uri", entry.uri).member("name", entry.name);
  if (has_titles(r)) w.member_if("title", entry.title);
  w.member_if("description", entry.description).member_if("mimeType", entry.mime);
  if (entry.size) w.member("size", *entry.size);
  write_modified(w, entry.modified, r);
  w.end_object();
}

void write_template(JsonWriter& w, const TemplateEntry& entry, Revision r) {
  w.begin_object().member("uriTemplate", entry.uri_template).member("name", entry.name);
  if (has_titles(r)) w.member_if("title", entry.title);
  w.member_if("description", entry.description).member_if("mimeType", entry.mime).end_object();
}

void write_hints(JsonWriter& w, const ToolHints& hints) {
  w.key("annotations").begin_object().member("readOnlyHint", hints.read_only);
  if (!hints.read_only) {
    w.member("destructiveHint", hints.destructive).member("idempotentHint", hints.idempotent);
  }
  w.member("openWorldHint", hints.open_world).end_object();
}

void write_tool(JsonWriter& w, const Tool& tool, Revision r) {
  w.begin_object().member("name", tool.name);
  if (has_titles(r)) w.member_if("title", tool.title);
  w.member_if("description", tool.description).member("inputSchema", tool.input_schema);
  if (tool.output_schema && has_structure(r) && (modern(r) || object_schema(*tool.output_schema))) {
    w.member("outputSchema", *tool.output_schema);
  }
  if (tool.hints && has_hints(r)) write_hints(w, *tool.hints);
  w.end_object();
}

void write_prompt(JsonWriter& w, const Prompt& prompt, Revision r) {
  w.begin_object().member("name", prompt.name);
  if (has_titles(r)) w.member_if("title", prompt.title);
  w.member_if("description", prompt.description);
  if (!prompt.arguments.empty()) {
    w.key("arguments").begin_array();
    for (const auto& argument : prompt.arguments) {
      w.begin_object().member("name", argument.name);
      w.member_if("description", argument.description).member("required", argument.required);
      w.end_object();
    }
    w.end_array();
  }
  w.end_object();
}

void write_skill(JsonWriter& w, const Skill& skill, Revision) {
  w.begin_object().member("uri", skill.uri).member("frontmatter", skill.frontmatter);
  w.key("resources").begin_array();
  for (const auto& file : skill.files) {
    w.begin_object().member("uri", file.uri).member("digest", file.digest);
    w.member("size", file.size).end_object();
  }
  w.end_array().end_object();
}

// {"uri":…,"mimeType":…,"text"|"blob":…}: a resource's content.
void write_resource(JsonWriter& w, const Content& content, Revision r) {
  w.begin_object().member("uri", content.uri).member_if("mimeType", content.mime);
  if (content.form == Content::Form::binary) {
    w.member("blob", base64_encode(content.bytes));
  } else {
    w.member("text", content.bytes);
  }
  if (has_meta(r) && (!content.version.empty() || !content.origin.empty())) {
    w.key("_meta").begin_object().member_if("lode.content/version", content.version);
    w.member("lode.content/size", static_cast<std::int64_t>(content.bytes.size()));
    if (content.modified) w.member("lode.content/lastModified", iso_time(*content.modified));
    w.member_if("lode.content/origin", content.origin);
    w.end_object();
  }
  w.end_object();
}

void write_text_block(JsonWriter& w, std::string_view text, std::string_view origin = {}) {
  w.begin_object().member("type", "text").member("text", text);
  if (!origin.empty()) {
    w.key("_meta").begin_object().member("lode.content/origin", origin).end_object();
  }
  w.end_object();
}

void write_media_block(JsonWriter& w, const Content& content, std::string_view type) {
  w.begin_object().member("type", type).member("data", base64_encode(content.bytes));
  w.member("mimeType", content.mime).end_object();
}

void write_link_block(JsonWriter& w, const Content& content) {
  w.begin_object().member("type", "resource_link").member("uri", content.uri);
  w.member("name", content.name.empty() ? content.uri : content.name);
  w.member_if("description", content.description).member_if("mimeType", content.mime).end_object();
}

// A block of a tool's answer or a prompt's message.
void write_block(JsonWriter& w, const Content& content, Revision r, bool links) {
  if (content.form == Content::Form::link) {
    if (links) return write_link_block(w, content);
    return write_text_block(w, fmt::format("{} <{}>", content.name, content.uri));
  }
  if (!content.uri.empty()) {
    w.begin_object().member("type", "resource").key("resource");
    write_resource(w, content, r);
    w.end_object();
    return;
  }
  if (content.form == Content::Form::text) {
    return write_text_block(w, content.bytes, has_meta(r) ? content.origin : std::string_view());
  }
  if (content.mime.starts_with("image/")) return write_media_block(w, content, "image");
  if (content.mime.starts_with("audio/") && has_audio(r)) {
    return write_media_block(w, content, "audio");
  }
  write_text_block(w, fmt::format("[{} bytes of {}]", content.bytes.size(), content.mime));
}

// About how long contents are as JSON: a long text that grows by doubling takes
// three times its room meanwhile.
std::size_t rendered_size(const Contents& contents) {
  constexpr std::size_t kAround = 512;  // of one content: its names and its meta
  std::size_t size = 0;
  for (const auto& content : contents.items) {
    const std::size_t bytes = content.bytes.size();
    size += bytes + (content.form == Content::Form::binary ? bytes / 3 : bytes / 16) + kAround;
  }
  return size;
}

// How long a client may keep contents: generated ones for the rest of their
// time, what is read from files and records not at all.
std::chrono::milliseconds remaining(const Cached& cached) {
  if (!cached.contents().generated) return std::chrono::milliseconds(0);
  const auto left = cached.expires() - std::chrono::steady_clock::now();
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::duration_cast<std::chrono::milliseconds>(left));
}

template <class T, class Write>
void write_array(JsonWriter& w, const std::vector<T>& items, Revision r, Write&& write) {
  w.begin_array();
  for (const auto& item : items) write(w, item, r);
  w.end_array();
}

void end_list(ResultText& result, std::string_view next) {
  result.writer().member_if("nextCursor", next);
  result.cacheable(std::chrono::milliseconds(0), Scope::private_);
}

template <class T, class Write>
std::string list_result(const Renderer& renderer, const Page<T>& page, Revision r,
                        std::string_view name, Write&& write) {
  ResultText result(renderer, r);
  write_array(result.writer().key(name), page.items, r, write);
  end_list(result, page.next);
  return result.finish();
}

}  // namespace

ResultText::ResultText(const Renderer& renderer, Revision revision, std::size_t about)
    : renderer_(renderer), revision_(revision) {
  text_.reserve(about + 512);
  writer_.begin_object();
}

void ResultText::cacheable(std::chrono::milliseconds ttl, Scope scope) {
  if (!modern(revision_)) return;
  writer_.member("ttlMs", std::int64_t{ttl.count()});
  writer_.member("cacheScope", scope == Scope::public_ ? "public" : "private");
}

std::string ResultText::finish() {
  if (modern(revision_)) {
    writer_.member("resultType", type_);
    writer_.key("_meta").begin_object();
    writer_.raw_member(mcp::kMetaServerInfo, renderer_.server_info_);
    if (!subscription_.empty()) writer_.raw_member(mcp::kMetaSubscription, subscription_);
    writer_.end_object();
  }
  writer_.end_object();
  return std::move(text_);
}

std::string Renderer::resources(const Page<Entry>& page, Revision revision) const {
  return list_result(*this, page, revision, "resources", write_entry);
}

std::string Renderer::templates(const Page<TemplateEntry>& page, Revision revision) const {
  return list_result(*this, page, revision, "resourceTemplates", write_template);
}

std::string Renderer::tools(const Page<Tool>& page, Revision revision) const {
  return list_result(*this, page, revision, "tools", write_tool);
}

std::string Renderer::prompts(const Page<Prompt>& page, Revision revision) const {
  return list_result(*this, page, revision, "prompts", write_prompt);
}

std::string Renderer::skills(const Page<Skill>& page, Revision revision) const {
  return list_result(*this, page, revision, "skills", write_skill);
}

std::string Renderer::skill(const Skill& skill, Revision revision) const {
  ResultText result(*this, revision);
  result.writer().key("skill");
  write_skill(result.writer(), skill, revision);
  result.cacheable(std::chrono::milliseconds(0), Scope::private_);
  return result.finish();
}

// A result whose array is rendered already and belongs to the contents. end: what stands
// behind the array.
template <class End>
Payload Renderer::around(const std::shared_ptr<const Cached>& cached, std::string_view name,
                         const SharedText& array, Revision revision, End&& end) const {
  const bool share = array.text.size() >= kShared;
  ResultText result(*this, revision, share ? 0 : array.text.size());
  result.writer().raw_member(name, share ? "" : std::string_view(array.text));
  const auto before = result.size();
  end(result);
  Payload payload = result.finish();
  if (!share) return payload;
  payload.tail = payload.head.substr(before);
  payload.head.resize(before);
  payload.shared = {cached, &array};
  return payload;
}

Payload Renderer::listed(const std::shared_ptr<const Cached>& cached, std::string_view next,
                         Revision revision) const {
  const auto& array = cached->rendered(has_titles(revision) ? 0 : 1, [&](const Contents& contents) {
    constexpr std::size_t kEntry = 256;
    std::string text;
    text.reserve(contents.page->entries.size() * kEntry);
    JsonWriter w(text);
    write_array(w, contents.page->entries, revision, write_entry);
    return text;
  });
  return around(cached, "resources", array, revision,
                [&](ResultText& result) { end_list(result, next); });
}

Payload Renderer::read(const std::shared_ptr<const Cached>& cached, Revision revision) const {
  const auto& array = cached->rendered(has_meta(revision) ? 0 : 1, [&](const Contents& contents) {
    std::string text;
    text.reserve(rendered_size(contents));
    JsonWriter w(text);
    write_array(w, contents.items, revision, write_resource);
    return text;
  });
  return around(cached, "contents", array, revision, [&](ResultText& result) {
    result.cacheable(remaining(*cached), cached->contents().scope);
  });
}

std::string Renderer::called(const Contents& contents, Revision revision) const {
  ResultText result(*this, revision);
  auto& w = result.writer();
  w.key("content").begin_array();
  for (const auto& content : contents.items) {
    write_block(w, content, revision, has_links(revision));
  }
  // Clients that know no structured answers, or do not look, get it as text.
  if (contents.structured && contents.items.empty()) {
    write_text_block(w, to_text(*contents.structured));
  }
  w.end_array();
  if (contents.structured && has_structure(revision) &&
      (modern(revision) || contents.structured->is_object())) {
    w.member("structuredContent", *contents.structured);
  }
  if (contents.failed) w.member("isError", true);
  return result.finish();
}

std::string Renderer::prompted(const Contents& contents, Revision revision) const {
  ResultText result(*this, revision);
  auto& w = result.writer();
  w.member_if("description", contents.description).key("messages").begin_array();
  for (const auto& content : contents.items) {
    w.begin_object().member("role", content.from_user ? "user" : "assistant").key("content");
    write_block(w, content, revision, modern(revision));
    w.end_object();
  }
  w.end_array();
  return result.finish();
}

std::string Renderer::completed(const Completions& completions, Revision revision) const {
  ResultText result(*this, revision);
  auto& w = result.writer();
  w.key("completion").begin_object().key("values").begin_array();
  for (const auto& value : completions.values) w.value(value);
  w.end_array();
  if (completions.total) w.member("total", static_cast<std::int64_t>(*completions.total));
  w.member("hasMore", completions.total && *completions.total > completions.values.size());
  w.end_object();
  return result.finish();
}

std::string Renderer::input_required(const NeedsInput& needs, std::string_view sealed) const {
  ResultText result(*this, kNewest);
  auto& w = result.writer();
  if (!needs.questions.empty()) {
    w.key("inputRequests").begin_object();
    for (const auto& [key, question] : needs.questions) {
      w.key(key).begin_object().member("method", method_of(question.kind));
      if (!question.params.is_null()) w.member("params", question.params);
      w.end_object();
    }
    w.end_object();
  }
  w.member_if("requestState", sealed);
  result.type("input_required");
  return result.finish();
}

std::string Renderer::empty(Revision revision, std::string_view subscription) const {
  ResultText result(*this, revision);
  result.subscription(subscription);
  return result.finish();
}

std::string_view method_of(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::elicit_form:
    case Question::Kind::elicit_url: return "elicitation/create";
    case Question::Kind::sample: return "sampling/createMessage";
    case Question::Kind::list_roots: return "roots/list";
  }
  return "";
}

std::string_view capability_of(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::elicit_form: return R"({"elicitation":{}})";
    case Question::Kind::elicit_url: return R"({"elicitation":{"url":{}}})";
    case Question::Kind::sample: return R"({"sampling":{}})";
    case Question::Kind::list_roots: return R"({"roots":{}})";
  }
  return "{}";
}

}  // namespace lode
