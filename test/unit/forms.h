/* Traces between their forms, for tests: what cannot be read or written fails
   the test. */
#ifndef OMEN_TEST_FORMS_H
#define OMEN_TEST_FORMS_H

#include "io/binary.h"
#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline omen_trace *
from_text (const char *text)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("t", text, strlen (text), &err);
  if (!trace)
    fail_msg ("%s: %s", err.where, err.what);
  return trace;
}

static inline char *
to_text (const omen_trace *trace)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  assert_true (omen_text_write (trace, out, NULL));
  fclose (out);
  return text;
}

static inline char *
to_binary (const omen_trace *trace, unsigned how, size_t *size)
{
  char *data;
  FILE *out = open_memstream (&data, size);
  assert_true (omen_binary_write_as (trace, how, out, NULL));
  fclose (out);
  return data;
}

static inline omen_trace *
from_binary (const void *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace;
  assert_true (omen_binary_is (data, size));
  trace = omen_binary_parse ("t", data, size, &err);
  if (!trace)
    fail_msg ("%s: %s", err.where, err.what);
  if (trace->warnings.count)
    fail_msg ("%s", omen_names_text (&trace->strings, trace->warnings.data[0]));
  return trace;
}

#define SAME_ARRAY(a, b, vec)                                                  \
  do {                                                                         \
    assert_int_equal ((a)->vec.count, (b)->vec.count);                         \
    if ((a)->vec.count)                                                        \
      assert_memory_equal ((a)->vec.data, (b)->vec.data,                       \
                           (a)->vec.count * sizeof *(a)->vec.data);            \
  } while (0)

static inline void
same_trace (const omen_trace *a, const omen_trace *b)
{
  char *left = to_text (a), *right = to_text (b);
  assert_string_equal (left, right);
  free (left);
  free (right);
  assert_true (omen_trace_identity (a) == omen_trace_identity (b));
  assert_int_equal (a->flags, b->flags);
  SAME_ARRAY (a, b, events);
  SAME_ARRAY (a, b, places);
  SAME_ARRAY (a, b, emits);
  SAME_ARRAY (a, b, extras);
  SAME_ARRAY (a, b, dependences);
  SAME_ARRAY (a, b, stacks);
  SAME_ARRAY (a, b, threads);
  assert_memory_equal (a->index, b->index, 4 * a->events.count);
  assert_memory_equal (a->by_thread, b->by_thread, 4 * a->events.count);
}

#endif
