/* trace: binary files that are cut, damaged or hostile. Whatever happens to a
   file, what loads is a prefix of what was written, and a loss is told. */
#include "unit.h"

#include "binary_file.h"
#include "random_text.h"
#include "io/binary.h"
#include "trace/text.h"
#include "io/text_read.h"

typedef struct sample {
  omen_trace *trace;
  char *data;
  size_t size;
} sample;

static sample
make_sample (uint64_t seed, unsigned events, unsigned how)
{
  sample s;
  char *text = random_text_new (seed, events);
  FILE *out;
  s.trace = omen_text_parse ("t", text, strlen (text), NULL);
  free (text);
  assert_non_null (s.trace);
  out = open_memstream (&s.data, &s.size);
  assert_true (omen_binary_write_as (s.trace, how, out, NULL));
  fclose (out);
  return s;
}

static void
free_sample (sample *s)
{
  omen_trace_free (s->trace);
  free (s->data);
}

/* The bytes exactly, so that ASan sees what reads beyond them. */
static omen_trace *
parse (const void *data, size_t size, omen_err *err)
{
  char *exact = malloc (size ? size : 1);
  omen_trace *trace;
  memcpy (exact, data, size);
  trace = omen_binary_parse ("t", exact, size, err);
  free (exact);
  return trace;
}

static void
assert_prefix (const omen_trace *part, const omen_trace *whole)
{
  char left[4096], right[4096];
  assert_true (part->events.count <= whole->events.count);
  for (omen_eid e = 0; e < part->events.count; e++) {
    omen_text_operation (part, e, left, sizeof left);
    omen_text_operation (whole, e, right, sizeof right);
    assert_string_equal (left, right);
    assert_string_equal (omen_trace_location (part, e),
                         omen_trace_location (whole, e));
    assert_int_equal (part->index[e], whole->index[e]);
    assert_int_equal (
        omen_trace_nth (part, part->events.data[e].thread, part->index[e]), e);
  }
}

/* NULL with a reason, or a prefix with a warning. How much was usable. */
static size_t
tells (const sample *s, const void *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace = parse (data, size, &err);
  size_t usable = trace ? trace->events.count : 0;
  assert_true (trace || err.set);
  if (trace) {
    assert_prefix (trace, s->trace);
    assert_true (trace->warnings.count > 0);
    assert_true (trace->flags & OMEN_TRACE_PARTIAL);
  }
  omen_trace_free (trace);
  return usable;
}

static void
a_file_cut_anywhere_loads_up_to_the_cut (void **state)
{
  for (unsigned how = 0; how < 4; how++) {
    sample s = make_sample (how + 1, 60, how);
    size_t usable = 0;
    for (size_t size = OMEN_FILE_MAGIC_NAME; size < s.size; size++) {
      size_t now = tells (&s, s.data, size);
      assert_true (now >= usable);
      usable = now;
    }
    assert_int_equal (usable, s.trace->events.count);
    free_sample (&s);
  }
}

static void
a_damaged_byte_is_told (void **state)
{
  for (unsigned how = 0; how < 4; how++) {
    sample s = make_sample (how + 5, 40, how);
    for (size_t at = sizeof (omen_file_header); at < s.size; at++) {
      s.data[at] = (char)(s.data[at] ^ (1 << at % 8));
      tells (&s, s.data, s.size);
      s.data[at] = (char)(s.data[at] ^ (1 << at % 8));
    }
    free_sample (&s);
  }
}

/* Bytes lost inside (a short write, and another chunk after it). */
static void
a_hole_is_told (void **state)
{
  sample s = make_sample (9, 60, OMEN_BINARY_BY_THREAD);
  char *copy = malloc (s.size);
  for (size_t hole = 1; hole < 200; hole = hole * 3 + 1)
    for (size_t at = sizeof (omen_file_header); at + hole < s.size; at++) {
      memcpy (copy, s.data, at);
      memcpy (copy + at, s.data + at + hole, s.size - at - hole);
      tells (&s, copy, s.size - hole);
    }
  free (copy);
  free_sample (&s);
}

/* A whole chunk lost: nothing is damaged, but it is missed. */
static void
a_missing_chunk_is_told (void **state)
{
  for (unsigned how = 0; how < 4; how++) {
    sample s = make_sample (how + 11, 60, how);
    char *copy = malloc (s.size);
    size_t next;
    for (size_t at = sizeof (omen_file_header); at < s.size; at = next) {
      omen_chunk_header h;
      memcpy (&h, s.data + at, sizeof h);
      next = at + sizeof h + h.stored;
      memcpy (copy, s.data, at);
      memcpy (copy + at, s.data + next, s.size - next);
      tells (&s, copy, s.size - (next - at));
    }
    free (copy);
    free_sample (&s);
  }
}

/* Any field of any chunk wrong, with checksums that are right: an error, or a
   trace that is consistent in itself. */
static void
a_hostile_file_does_no_harm (void **state)
{
  static const uint8_t evil[] = { 0, 1, 0x7f, 0x80, 0xff };
  for (unsigned how = 0; how < 4; how++) {
    sample s = make_sample (how + 21, 40, how);
    char *copy = malloc (s.size);
    for (size_t at = 8; at < s.size; at++)
      for (size_t i = 0; i < sizeof evil; i++) {
        omen_err err = { 0 };
        omen_trace *trace;
        memcpy (copy, s.data, s.size);
        copy[at] = (char)evil[i];
        file_repair ((uint8_t *)copy, s.size);
        trace = parse (copy, s.size, &err);
        assert_true (trace || err.set);
        omen_trace_free (trace);
      }
    free (copy);
    free_sample (&s);
  }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    UNIT (a_file_cut_anywhere_loads_up_to_the_cut),
    UNIT (a_damaged_byte_is_told),
    UNIT (a_hole_is_told),
    UNIT (a_missing_chunk_is_told),
    UNIT (a_hostile_file_does_no_harm),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
