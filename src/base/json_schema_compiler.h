// How a schema becomes a Program. Internal to JsonSchema.
//
// Design. A worklist instead of recursion, so that no schema can exhaust the
// stack: enter() makes the empty Node of a subschema and queues it; reading a
// queued one (json_schema_keywords.cc) fills its Node and enters its subschemas.
// References are resolved when the queue is empty, because only then is every
// $id and anchor known; a reference may lead to a place that no keyword led to
// (below an unknown keyword), which is then entered too, and the queue runs on.
//
// 1. A place in the document has at most one Node.
// 2. A Node never moves: pointers to it may be handed out before it is filled.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json_schema_program.h"

namespace lode::schema {

// A place in the schema that has been entered.
struct Place {
  const Json* at = nullptr;
  Node* node = nullptr;
  Resource* resource = nullptr;
  std::string location;  // "#/properties/age", for messages
};

// One keyword being read.
struct Here {
  class Compiler& compiler;
  const Place& place;
  Node& node;
  const JsonObject& schema;  // that the keyword stands in
  const Json& value;
  std::string location;  // of the value
};

class Compiler {
 public:
  explicit Compiler(const SchemaLimits& limits);

  Result<std::shared_ptr<const Program>> run(const Json& schema);

  // The subschema at a place below `parent`. Its Node may still be empty.
  Result<const Node*> enter(const Json& at, Resource& parent, std::string location);
  Result<const Pattern*> pattern(std::string_view text);
  // To be resolved later.
  void refer(const Here& here, bool dynamic);

 private:
  struct Reference {
    Node* node;
    Resource* resource;
    std::string target;
    std::string location;
    bool dynamic;
  };

  Status drain();
  Status identify(const Json& at, Place& place);
  Result<Resource*> new_resource(std::string uri, const Json& at, bool draft7);
  Status name_resource(const JsonObject& schema, const Json& at, Place& place);
  Status add_anchor(const Place& place, std::string_view name);
  Status add_anchors(const JsonObject& schema, const Place& place);
  Status resolve(const Reference& reference);
  Result<const Node*> find_target(const Reference& reference, std::string_view uri,
                                  std::string_view fragment);
  Result<const Node*> find_pointer(const Json& root, Resource& resource, std::string_view pointer);

  std::shared_ptr<Program> program_;
  std::unordered_map<const Json*, Place> places_;
  std::vector<const Place*> queue_;
  std::vector<Reference> references_;
  std::size_t pattern_size_ = 0;  // of all patterns so far
  std::map<std::string, std::pair<Resource*, const Json*>, std::less<>> resources_;  // by URI
  std::map<std::string, const Node*, std::less<>> anchors_;                          // URI#name
};

// Fills the node of a place with what its keywords say.
Status read_keywords(Compiler& compiler, const Place& place);

}  // namespace lode::schema
