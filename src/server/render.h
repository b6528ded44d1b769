// The engine's values as results of the protocol.
//
// The one edge where fields follow the negotiated revision: what a client's
// revision does not know is left out, or said in words that it does know.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "engine/cached.h"
#include "engine/provider.h"
#include "protocol/revision.h"
#include "transport/reply.h"

namespace lode {

// Makes result objects for one server; constant, any thread.
class Renderer {
 public:
  // server_info: the JSON object {"name":…,"version":…} of this server.
  explicit Renderer(std::string server_info) : server_info_(std::move(server_info)) {}

  std::string resources(const Page<Entry>& page, Revision revision) const;
  // The same of Contents::page, whose entries are rendered once, as read() does. next: the
  // cursor as the client gets it.
  Payload listed(const std::shared_ptr<const Cached>& cached, std::string_view next,
                 Revision revision) const;
  std::string templates(const Page<TemplateEntry>& page, Revision revision) const;
  std::string tools(const Page<Tool>& page, Revision revision) const;
  std::string prompts(const Page<Prompt>& page, Revision revision) const;

  std::string skills(const Page<Skill>& page, Revision revision) const;
  std::string skill(const Skill& skill, Revision revision) const;

  // What is the same for every reader is rendered once and kept with the
  // contents; if it is long, the result shares it.
  Payload read(const std::shared_ptr<const Cached>& cached, Revision revision) const;
  std::string called(const Contents& contents, Revision revision) const;
  std::string prompted(const Contents& contents, Revision revision) const;
  std::string completed(const Completions& completions, Revision revision) const;

  // Modern only: questions for the client; the state is already sealed.
  std::string input_required(const NeedsInput& needs, std::string_view sealed_state) const;

  // {} and, in the modern era, what every result carries. With a subscription
  // id (JSON text), that too.
  std::string empty(Revision revision, std::string_view subscription = {}) const;

  const std::string& server_info() const { return server_info_; }

 private:
  friend class ResultText;
  template <class End>
  Payload around(const std::shared_ptr<const Cached>& cached, std::string_view name,
                 const SharedText& array, Revision revision, End&& end) const;

  std::string server_info_;
};

// A result object under construction: begins the object, and ends it with what
// every result of the revision carries.
class ResultText {
 public:
  // about: how many bytes will be written, if the caller knows.
  ResultText(const Renderer& renderer, Revision revision, std::size_t about = 0);
  JsonWriter& writer() { return writer_; }
  // How much is written.
  std::size_t size() const { return text_.size(); }
  // How long, and between whom, a client may keep the result (modern only).
  void cacheable(std::chrono::milliseconds ttl, Scope scope);
  void type(std::string_view result_type) { type_ = result_type; }
  void subscription(std::string_view id) { subscription_ = id; }
  std::string finish();

 private:
  const Renderer& renderer_;
  const Revision revision_;
  std::string text_;
  JsonWriter writer_{text_};
  std::string_view type_ = "complete";
  std::string_view subscription_;
};

// The name of the client's method for a question, and the capability that it
// needs, as a JSON object: {"elicitation":{}}.
std::string_view method_of(Question::Kind kind);
std::string_view capability_of(Question::Kind kind);

}  // namespace lode
