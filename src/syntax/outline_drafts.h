// What the matches of an outline's query say, before it is put together.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/outline_query.h"
#include "syntax/symbol.h"

namespace lode {

// What one match says about the symbol whose name begins at `key`.
struct SymbolDraft {
  std::uint32_t key = 0;
  std::uint32_t pattern = 0;
  bool defines = false;          // else it adds to what another match defines
  bool named_like_type = false;  // or it is not what it looks like
  Visibility members = Visibility::unsaid;
  Symbol symbol = {};
};

// What has a place, and a meaning for the symbols around it or after it.
struct Mark {
  Role role = Role::none;
  Visibility visibility = Visibility::unsaid;  // of Role::access and Role::modifier
  bool outside_types = false;                  // of Role::modifier
  Span span;
};

struct ExportDraft {
  std::uint32_t begin = 0;
  Export item;
};

// What goes before the sources of the imports in a list: `a::b` of `use a::b::{c, d};`.
struct ImportPrefix {
  Span list;
  std::string_view path;
  std::string_view divider;
};

// A list of names, and from where these are: `{a, b}` of `import {a, b} from "c";`.
struct NamesFrom {
  Span names;
  std::string_view source;
  Span statement;
};

class Drafts {
 public:
  Drafts(const OutlineQuery& query, std::string_view text) : query_(query), text_(text) {}

  void add(const TSQueryMatch& match);

  std::vector<SymbolDraft> symbols;
  std::vector<Mark> marks;
  std::vector<Import> imports;
  std::vector<Import> listed_imports;  // each with the place of its name alone
  std::vector<NamesFrom> import_lists;
  std::vector<ImportPrefix> prefixes;
  std::vector<ExportDraft> exports;
  std::vector<NamesFrom> export_lists;

 private:
  void add_symbol(const TSQueryMatch& match);
  void add_import(const TSQueryMatch& match);
  void add_prefix(const TSQueryMatch& match);
  void add_export(const TSQueryMatch& match);

  const OutlineQuery& query_;
  std::string_view text_;
};

}  // namespace lode
