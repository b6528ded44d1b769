// What a provider offers, as data: addresses, templates, tools.
//
// A manifest never changes. A provider that comes to offer something else gives
// another one and has the catalog read it again (CatalogSource::change).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/glob.h"
#include "base/json.h"
#include "engine/routes.h"

namespace lode {

// A resource in a list.
struct Entry {
  std::string uri;  // percent-encoded
  std::string name;
  std::string title;
  std::string description;
  std::string mime;
  std::optional<std::int64_t> size;  // bytes
  std::optional<std::chrono::system_clock::time_point> modified;
};

// What a tool does to the world, for a client that asks its user.
struct ToolHints {
  bool read_only = false;
  bool destructive = true;
  bool idempotent = false;
  bool open_world = true;
};

struct Tool {
  std::string name;  // 1 to 64 of A-Z a-z 0-9 _ - .
  std::string title;
  std::string description;
  Json input_schema;  // JSON Schema 2020-12, type "object"
  std::optional<Json> output_schema;
  std::optional<ToolHints> hints;
};

struct PromptArgument {
  std::string name;
  std::string description;
  bool required = false;
};

struct Prompt {
  std::string name;
  std::string title;
  std::string description;
  std::vector<PromptArgument> arguments;
};

// An agent skill: a folder with a SKILL.md.
struct SkillFile {
  std::string uri;
  std::string digest;  // "sha256:" and 64 hexadecimal digits
  std::int64_t size = 0;
};
struct Skill {
  std::string uri;  // of its SKILL.md; the folder has the skill's name
  Json frontmatter;
  std::vector<SkillFile> files;  // all of them
};

// Addresses of which a provider owns all.
struct Family {
  // "file:///" and what is below it; a bare scheme, "test:", is all of it.
  std::string root;
  // Every byte behind the root is the provider's own affair: nothing is decoded,
  // normalised or refused (but what no URI can hold), addresses are compared byte for
  // byte and come back as they were, and rules of the policy see the exact text. The
  // root is compared byte for byte too.
  bool opaque = false;
  // Opaque families only: answers for every address of it.
  Route::Read read{};
};

struct Manifest {
  std::string name;  // of the provider: letters, digits, '-'; unique
  std::vector<Family> families;
  // Single addresses that the provider owns besides, of any scheme, as they are
  // spelled, byte for byte; Manifest::read_exact answers for them.
  std::vector<std::string> exact{};
  Route::Read read_exact{};
  // What is answered, and by which function. A template outside the families is
  // asked for addresses that nobody else owns.
  std::vector<Route> routes{};
  // Addresses of which all is shown only if the exposure list or a rule of the
  // policy names them: Exchange::named.
  std::vector<Glob> named_only{};
  std::vector<Tool> tools{};
  // What the addresses that Provider::shown_at() answers begin with: it is asked only while a
  // rule may deny one of them.
  std::vector<std::string> shows_files_at{};
  // How many calls the provider takes at once; more are answered "busy", so
  // that one that hangs never holds all workers. 0: any number.
  std::size_t calls_at_once = 16;
};

}  // namespace lode
