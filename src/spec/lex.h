/* The tokens of a property file, one at a time, and the errors of everything
   that reads it: place, reason, the line and a caret below it.

     omen_lexer lexer;
     omen_lexer_init (&lexer, "iter.mop", text, size, &err);
     while (omen_lex_take (&lexer, "@"))            one or more bytes of marks
       if (!omen_lex_name (&lexer, "a category", &name)) return false;

   Operators are not cut into tokens, since each logic has its own, e.g. `[*]`:
   a parser asks for one by its spelling, which has no blanks inside. Comments
   and blanks are skipped. Owner: the caller, of the text too. */
#ifndef OMEN_SPEC_LEX_H
#define OMEN_SPEC_LEX_H

#include "base/err.h"
#include "base/mem.h"

typedef enum omen_token {
  OMEN_TOKEN_END,
  OMEN_TOKEN_NAME,   /* as in C */
  OMEN_TOKEN_NUMBER, /* digits, and what C allows after them */
  OMEN_TOKEN_STRING, /* "…" as it stands, with the quotes */
  OMEN_TOKEN_CHAR,   /* '…' */
  OMEN_TOKEN_MARK,   /* any other byte */
  OMEN_TOKEN_BAD     /* unterminated; err says so */
} omen_token;

/* A place in the original of several joined files (driver/spec_join.h). */
typedef struct omen_place_in_file {
  char path[512];
  uint32_t line, column;
} omen_place_in_file;

typedef struct omen_lexer {
  const char *path, *text;
  size_t size;
  size_t at, length; /* the current token, [at, at + length) */
  omen_token token;
  unsigned depth; /* of what is being parsed; see omen_lex_deeper */
  omen_err *err;
} omen_lexer;

void omen_lexer_init (omen_lexer *lexer, const char *path, const char *text,
                      size_t size, omen_err *err);
void omen_lex_next (omen_lexer *lexer);
/* Go back (or on) to the token at this offset. */
void omen_lex_seek (omen_lexer *lexer, size_t offset);

/* Is this operator, or this name, the current token? take: skip it if so. */
bool omen_lex_is (const omen_lexer *lexer, const char *spelling);
bool omen_lex_take (omen_lexer *lexer, const char *spelling);
/* Is `spelling` the current token, and `second` after it? */
bool omen_lex_then (const omen_lexer *lexer, const char *spelling,
                    const char *second);
/* Is the current token a name, with `second` after it? */
bool omen_lex_is_name_before (const omen_lexer *lexer, const char *second);
/* As take, but an error if it is absent. `what` is for the message: "';' after
   the event". */
bool omen_lex_want (omen_lexer *lexer, const char *spelling, const char *what);
/* A name, copied into the arena. */
bool omen_lex_name (omen_lexer *lexer, omen_arena *arena, const char *what,
                    const char **name);
/* A decimal number not above `limit`. */
bool omen_lex_number (omen_lexer *lexer, const char *what, uint64_t limit,
                      uint64_t *number);
/* Skip a block in braces, which must be next: strings, chars and comments in it
   are C's. [*from, *to) is what is between the braces. */
bool omen_lex_block (omen_lexer *lexer, size_t *from, size_t *to);

/* Nesting has a limit, so that no input can use up the stack:
     if (!omen_lex_deeper (lexer)) return false; … lexer->depth--; */
#define OMEN_NESTING_MAX 256
bool omen_lex_deeper (omen_lexer *lexer);

/* "path:line:column: what", the line, a caret. Always false. */
bool omen_lex_fail (const omen_lexer *lexer, size_t offset, const char *format,
                    ...) __attribute__ ((format (printf, 3, 4)));
/* "expected WHAT, not 'TOKEN'" at the current token. Always false. */
bool omen_lex_expected (const omen_lexer *lexer, const char *what);
void omen_lex_place (const omen_lexer *lexer, size_t offset,
                     omen_place_in_file *place);

#endif
