// The tokens of SQL that a grammar alone cannot tell: dollar-quoted strings,
// `$tag$ … $tag$`. It takes the place of the scanner that the package brings, which
// loses memory for each of them. A tag has at most 63 bytes, as PostgreSQL's names;
// what is longer is none.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "tree_sitter/parser.h"

enum { kStartTag, kEndTag, kWhole };  // in the order of the grammar's externals

typedef struct {
  uint8_t size;  // zero: not in a string
  char text[65];
} Tag;

void *tree_sitter_sql_external_scanner_create(void) { return calloc(1, sizeof(Tag)); }

void tree_sitter_sql_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_sql_external_scanner_serialize(void *payload, char *buffer) {
  const Tag *tag = payload;
  memcpy(buffer, tag->text, tag->size);
  return tag->size;
}

void tree_sitter_sql_external_scanner_deserialize(void *payload, const char *buffer,
                                                  unsigned length) {
  Tag *tag = payload;
  tag->size = length <= sizeof tag->text ? (uint8_t)length : 0;
  if (tag->size > 0) memcpy(tag->text, buffer, tag->size);
}

static bool equal(const Tag *a, const Tag *b) {
  return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

// Reads `$tag$`. What is read is passed over even if it is no tag.
static bool scan_tag(TSLexer *lexer, Tag *tag) {
  tag->size = 0;
  if (lexer->lookahead != '$') return false;
  do {
    // Letters beyond ASCII are told apart by their lowest byte, which is enough.
    if (tag->size + 1u < sizeof tag->text) tag->text[tag->size] = (char)lexer->lookahead;
    ++tag->size;
    lexer->advance(lexer, false);
  } while (lexer->lookahead != '$' && !iswspace((wint_t)lexer->lookahead) && !lexer->eof(lexer) &&
           tag->size + 1u < sizeof tag->text);
  if (lexer->lookahead != '$') return false;
  tag->text[tag->size++] = '$';
  lexer->advance(lexer, false);
  return true;
}

static void skip_blank(TSLexer *lexer) {
  while (iswspace((wint_t)lexer->lookahead)) lexer->advance(lexer, true);
}

static bool scan_whole(TSLexer *lexer, const Tag *open) {
  Tag start;
  Tag end;
  lexer->mark_end(lexer);
  skip_blank(lexer);
  if (!scan_tag(lexer, &start) || (open->size > 0 && equal(open, &start))) return false;
  while (!lexer->eof(lexer)) {
    if (!scan_tag(lexer, &end)) {
      if (end.size == 0) lexer->advance(lexer, false);
    } else if (equal(&start, &end)) {
      lexer->mark_end(lexer);
      lexer->result_symbol = kWhole;
      return true;
    }
  }
  return false;
}

bool tree_sitter_sql_external_scanner_scan(void *payload, TSLexer *lexer,
                                           const bool *valid_symbols) {
  Tag *tag = payload;
  if (valid_symbols[kStartTag] && tag->size == 0) {
    skip_blank(lexer);
    Tag start;
    if (!scan_tag(lexer, &start)) return false;
    *tag = start;
    lexer->result_symbol = kStartTag;
    return true;
  }
  if (valid_symbols[kEndTag] && tag->size > 0) {
    skip_blank(lexer);
    Tag end;
    if (!scan_tag(lexer, &end) || !equal(tag, &end)) return false;
    tag->size = 0;
    lexer->result_symbol = kEndTag;
    return true;
  }
  return valid_symbols[kWhole] && scan_whole(lexer, tag);
}
