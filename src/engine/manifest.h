// What a provider offers, as data: addresses, templates, tools, prompts.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/glob.h"
#include "base/json.h"

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

// A family of addresses (RFC 6570).
struct TemplateEntry {
  std::string uri_template;
  std::string name;
  std::string title;
  std::string description;
  std::string mime;  // only if all of them have the same
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

struct Manifest {
  std::string name;  // of the provider: letters, digits, '-'; unique
  // The provider owns every address within these: "file:///", or, with a bare
  // scheme, all of it: "test:".
  std::vector<std::string> roots;
  std::vector<TemplateEntry> templates;
  // Addresses of which all is shown only if the exposure list or a rule of the
  // policy names them: Exchange::named.
  std::vector<Glob> named_only{};
  std::vector<Tool> tools;
  std::vector<Prompt> prompts;
  bool more_prompts = false;  // there may be others, now or later: Provider::prompts()
  bool skills = false;        // Provider::skills()
  // How many calls the provider takes at once; more are answered "busy", so
  // that one that hangs never holds all workers. 0: any number.
  std::size_t calls_at_once = 16;
};

}  // namespace lode
