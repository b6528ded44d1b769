// Makes, reads, lists, changes, deletes, brings back, activates and renders elements: what
// the tool element_manage does.
//
// Invariants:
//  (1) What is acknowledged is on stable storage, and the collection knows it.
//  (2) An update changes the bytes of the keys it names, the version and the
//      time, and no others; one that changes nothing writes nothing.
//  (3) A malformed file is never written, and nothing is written that would be
//      malformed or wrong where it was right before.
//  (4) What another process, or an editor, wrote since a file was read is not
//      overwritten: the file is changed as it is now, or not at all.
//  (5) What is deleted is in the trash.
//  (6) Nothing is read or written that the caller's gate does not admit, and what
//      it hides looks as if it were not there.
//
// Any thread; several processes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "engine/content.h"
#include "engine/manifest.h"
#include "providers/capability/active.h"
#include "providers/capability/collection.h"
#include "providers/capability/element.h"
#include "providers/capability/element_gate.h"
#include "providers/capability/trash.h"

namespace lode {

// One of the tool's operations. A word of `needs` and `takes` is the name of an
// argument, and there is a blank between two.
struct ManageOperation {
  std::string name;
  std::string needs;
  std::string takes;
  std::string example;  // a call, as JSON on one line
  std::function<Result<Contents>(const ElementGate& gate, const JsonObject& arguments)> run;
};

class ElementManager {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;

  // active may be null: there are no records. REQUIRES: what is referred to
  // outlives it.
  ElementManager(
      Collection& collection, ActiveElements* active, std::string trash_directory,
      Clock clock = [] { return std::chrono::system_clock::now(); });

  ElementManager(const ElementManager&) = delete;
  ElementManager& operator=(const ElementManager&) = delete;

  // One more operation. REQUIRES: before the first run().
  void add(ManageOperation operation) { operations_.push_back(std::move(operation)); }

  // Keeps a file of an element, which is to be overwritten, in the trash; the entry's name.
  // REQUIRES: the manager outlives it.
  using Keeper = std::function<Result<std::string>(const Element& element, const std::string& file,
                                                   std::string_view text)>;
  Keeper keeper() const {
    return [this](const Element& element, const std::string& file, std::string_view text) {
      return trash_.keep(element, file, text);
    };
  }

  // The tool's call. Errors say how it is done.
  Result<Contents> run(const ElementGate& gate, const Json& arguments) const;

  struct New {
    ElementType type = ElementType::persona;
    std::string name;
    std::string description;
    JsonObject fields{};  // others, in their order
    std::string body{};
    std::optional<bool> of_workspace{};  // nothing: the workspace's, if there is one
  };
  // Code::conflict: there is one with its id, name or file. The workspace may
  // have its own beside the user's, if it is asked for by name.
  Result<Element> create(const ElementGate& gate, const New& wanted) const;

  struct Change {
    ElementType type = ElementType::persona;
    std::string id;
    JsonObject fields{};                 // merged; null removes
    std::optional<std::string> body{};   // of a YAML file: the field that holds its text
    std::optional<std::string> entry{};  // of a memory: one more
  };
  struct Changed {
    Element element;                   // as it is now
    std::string version_before;        //
    std::vector<std::string> changed;  // fields, and "body"; empty: nothing was written
  };
  Result<Changed> update(const ElementGate& gate, const Change& change) const;

  struct Removed {
    Element element;
    std::string entry;                 // of the trash
    std::optional<Element> uncovered;  // the user's, which counts now
  };
  Result<Removed> remove(const ElementGate& gate, ElementType type, std::string_view id) const;
  // The latest that was deleted. Code::conflict: there is another in its place.
  Result<Element> restore(const ElementGate& gate, ElementType type, std::string_view id) const;
  Result<Element> restore(const ElementGate& gate, std::string_view trash_entry) const;

  struct Marked {
    std::string id;
    bool changed = false;  // it was not so already
  };
  Result<Marked> activate(const ElementGate& gate, ElementType type, std::string_view id) const;
  Result<Marked> deactivate(const ElementGate& gate, ElementType type, std::string_view id) const;

  Result<std::string> render(const ElementGate& gate, std::string_view id,
                             const JsonObject& values) const;

 private:
  void add_operations();
  // Code::not_found: there is none that is shown.
  Result<Element> find(const ElementGate& gate, ElementType type, std::string_view id) const;
  // The same, of one that may be written.
  Result<Element> find_writable(const ElementGate& gate, ElementType type,
                                std::string_view id) const;
  Error no_such(const ElementGate& gate, ElementType type, std::string_view id) const;
  const std::string& folder(bool of_workspace) const;
  Status check_own(const Element& element) const;
  Status check_hidden(const ElementGate& gate, const Element& element) const;
  Status check_free(const ElementGate& gate, const New& wanted, const Element& element) const;
  Result<Element> restore(const ElementGate& gate, Result<Trash::Entry> entry,
                          const Error& absent) const;
  std::string place(const Element& element) const;
  std::string notes(const ElementGate& gate, const Element& element) const;

  Result<Contents> run_create(const ElementGate& gate, const JsonObject& arguments) const;
  Result<Contents> run_update(const ElementGate& gate, const JsonObject& arguments) const;
  Result<Contents> run_delete(const ElementGate& gate, const JsonObject& arguments) const;
  Result<Contents> run_restore(const ElementGate& gate, const JsonObject& arguments) const;
  Result<Contents> run_mark(const ElementGate& gate, const JsonObject& arguments, bool on) const;
  Result<Contents> run_append(const ElementGate& gate, const JsonObject& arguments) const;
  Result<Contents> run_read(const ElementGate& gate, const JsonObject& arguments) const;
  Result<Contents> run_list(const ElementGate& gate, const JsonObject& arguments) const;
  // What an element says, with what it depends on; and where that is.
  Content text_with_dependencies(const ElementGate& gate, const Element& element) const;
  // One type's elements after an id, a line for each.
  void list_type(const ElementGate& gate, ElementType type, std::string_view after,
                 std::size_t most, std::string& out) const;
  Result<Contents> run_render(const ElementGate& gate, const JsonObject& arguments) const;

  Collection& collection_;
  ActiveElements* const active_;
  const Trash trash_;
  const Clock clock_;
  std::vector<ManageOperation> operations_;
};

// The tool, as data.
Tool element_manage_tool();

}  // namespace lode
