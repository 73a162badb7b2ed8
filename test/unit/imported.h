/* For the tests of importers: what a text is imported as, or refused for.

     imports (omen_csv_parse, "r(x),\n", "T0|r(x)|1\n");
     refuses (omen_csv_parse, "r x\n", "t:1:1", "operation(name)"); */
#ifndef OMEN_TEST_IMPORTED_H
#define OMEN_TEST_IMPORTED_H

#include "unit.h"

#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef omen_trace *(*importer) (const char *path, const char *text,
                                 size_t size, omen_err *err);

static inline omen_trace *
imported (importer parse, const char *text)
{
  omen_err err = { 0 };
  omen_trace *trace = parse ("t", text, strlen (text), &err);
  if (!trace)
    fail_msg ("%s: %s", err.where, err.what);
  return trace;
}

static inline char *
text_of (const omen_trace *trace)
{
  char *text;
  size_t size;
  omen_err err = { 0 };
  FILE *out = open_memstream (&text, &size);
  assert_true (omen_text_write (trace, out, &err));
  fclose (out);
  return text;
}

/* Imported as `want`, which the text reader takes for the same trace. */
static inline void
imports (importer parse, const char *text, const char *want)
{
  omen_trace *trace = imported (parse, text), *again;
  char *written = text_of (trace);
  assert_string_equal (written, want);
  again = imported (omen_text_parse, written);
  assert_true (omen_trace_identity (trace) == omen_trace_identity (again));
  omen_trace_free (again);
  omen_trace_free (trace);
  free (written);
}

static inline void
refuses (importer parse, const char *text, const char *where, const char *why)
{
  omen_err err = { 0 };
  assert_null (parse ("t", text, strlen (text), &err));
  assert_string_equal (err.where, where);
  if (!strstr (err.what, why))
    fail_msg ("'%s' does not say '%s'", err.what, why);
}

/* The i-th warning, "" if there is none. */
static inline void
warns (importer parse, const char *text, size_t i, const char *want)
{
  omen_trace *trace = imported (parse, text);
  const char *seen = "";
  if (i < trace->warnings.count)
    seen = omen_names_text (&trace->strings, trace->warnings.data[i]);
  assert_string_equal (seen, want);
  omen_trace_free (trace);
}

#endif
