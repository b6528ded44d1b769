// The addresses of a file's aspects: resource://file/{+path}/{aspect}{?…}.
//
// The path is the file's short name (workspace/workspace.h); the last segment is the
// aspect. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/uri.h"
#include "engine/routes.h"
#include "syntax/syntax.h"

namespace lode {

enum class Aspect : std::uint8_t {
  ast,
  diagnostics,
  exports,
  imports,
  query,
  references,
  source,
  structure,
  symbols,
};

std::string_view to_string(Aspect aspect);

inline constexpr std::string_view kCodeRoot = "resource://file/";
// Of an aspect without a file: what is answered says how it is done.
inline constexpr std::string_view kBareAspectTemplate = "resource://file/{aspect}";
inline constexpr std::string_view kCodeTemplate =
    "resource://file/{+path}/{aspect}"
    "{?compact,max_depth,use_symbol_table,include_semantic_hash,expr,symbol,lines}";

struct CodeAddress {
  std::string path;  // the file's short name
  Aspect aspect = Aspect::symbols;
  AstOptions ast;       // of `ast`
  bool compact = true;  // of `symbols`
  std::string expr;     // of `query`
  std::optional<std::string> symbol;
  std::optional<std::string> lines;
};

// Code::not_found: there is no file that it could mean. Code::invalid: there is no
// such aspect or parameter, or a value that is none; the message names what there is.
// A parameter that the aspect has no use for is checked, and means nothing.
Result<CodeAddress> parse_code_address(const Address& address);
// The same, for who has the address alone.
Result<CodeAddress> parse_code_address(const Uri& uri);

// The file's short name alone; nothing: no file can be meant.
std::optional<std::string> code_path(const Uri& uri);

// The one spelling of an address; itself if it is none of these.
Uri canonical_code_uri(const Uri& uri);

std::string code_uri(std::string_view path, Aspect aspect);
// That of one symbol's text, by its path ("Class.method").
std::string symbol_uri(std::string_view path, std::string_view symbol);

}  // namespace lode
