/* Traces in tests, one event a word: "T1|w(x=1) T2|r(x=1)|f.c:3". */
#ifndef OMEN_TEST_WORDS_H
#define OMEN_TEST_WORDS_H

#include "trace/text.h"
#include "io/text_read.h"

#include <string.h>

/* The trace; the test fails if it does not parse. */
static inline omen_trace *
words_parse (const char *words)
{
  omen_line text = { 0 };
  omen_err err = { 0 };
  omen_trace *trace;
  for (const char *w = words; *w;) {
    int bars = 0;
    for (; *w && *w != ' '; w++) {
      bars += *w == '|';
      OMEN_VEC_PUSH (text, *w);
    }
    if (bars == 1)
      OMEN_VEC_PUSH (text, '|');
    OMEN_VEC_PUSH (text, '\n');
    while (*w == ' ')
      w++;
  }
  trace = omen_text_parse ("t", text.data, text.count, &err);
  OMEN_VEC_FINI (text);
  if (!trace)
    fail_msg ("%s: %s in %s", err.where, err.what, words);
  return trace;
}

#endif
