/* trace: the binary form, there and back. */
#include "unit.h"

#include "binary_file.h"
#include "random_text.h"
#include "trace/binary.h"
#include "trace/text.h"

static omen_trace *
from_text (const char *text)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("t", text, strlen (text), &err);
  if (!trace)
    fail_msg ("%s: %s", err.where, err.what);
  return trace;
}

static char *
to_text (const omen_trace *trace)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  assert_true (omen_text_write (trace, out, NULL));
  fclose (out);
  return text;
}

static char *
to_binary (const omen_trace *trace, unsigned how, size_t *size)
{
  char *data;
  FILE *out = open_memstream (&data, size);
  assert_true (omen_binary_write_as (trace, how, out, NULL));
  fclose (out);
  return data;
}

static omen_trace *
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

static void
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

static void
comes_back (const omen_trace *trace)
{
  for (unsigned how = 0; how < 4; how++) {
    size_t size;
    char *data = to_binary (trace, how, &size);
    omen_trace *again = from_binary (data, size);
    same_trace (trace, again);
    omen_trace_free (again);
    free (data);
  }
}

static void
random_traces_come_back (void **state)
{
  for (unsigned seed = 0; seed < 200; seed++) {
    char *text = random_text_new (seed, seed < 190 ? seed : 6000);
    omen_trace *trace = from_text (text);
    comes_back (trace);
    omen_trace_free (trace);
    free (text);
  }
}

static void
an_empty_trace_comes_back (void **state)
{
  omen_trace *trace = from_text ("");
  comes_back (trace);
  omen_trace_free (trace);
}

/* Ids of one, two and four bytes, and back to small ones. */
static void
large_ids_come_back (void **state)
{
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  omen_trace *trace;
  for (unsigned i = 0; i < 70000; i++)
    fprintf (out, "T%u|w(v%u=%u)|%u\n", i % 300, i, i * i, i / 2);
  for (unsigned i = 70000; i--; i -= i < 30 ? i : 30)
    fprintf (out, "T%u|r(v%u)|%u\n", i % 70000, i, i / 2);
  fclose (out);
  trace = from_text (text);
  comes_back (trace);
  omen_trace_free (trace);
  free (text);
}

static void
odd_names_come_back (void **state)
{
  omen_trace *trace = from_text ("T\\x00|w(x\\x00y=a\\xff)|\n"
                                 "T\\x00|alloc(p,8)|\nT\\x00|w(p)|\n"
                                 "T\\x00|alloc(p,8)|\nT\\x00|w(p)|\n");
  comes_back (trace);
  omen_trace_free (trace);
}

/* ---- what text does not have ---- */

static uint32_t
string (omen_trace *trace, const char *text)
{
  return omen_names_id (&trace->strings, text, strlen (text));
}

static omen_trace *
recorded_trace (void)
{
  omen_trace *trace = omen_trace_new ("t");
  omen_event event = { .kind = OMEN_ENTER, .mode = OMEN_MODE_EXTRA };
  omen_trace_thread (trace, "T0", 2);
  trace->threads.data[0].path = string (trace, "0.2.1");
  omen_trace_name (trace, OMEN_OPERAND_FUNCTION, "main", 4);
  omen_names_id (&trace->locations, "f.c:1", 5);
  omen_trace_add (trace, &event);
  OMEN_VEC_PUSH (trace->stacks, ((omen_frame){ 0, OMEN_NONE, OMEN_NONE }));
  OMEN_VEC_PUSH (trace->stacks, ((omen_frame){ OMEN_NONE, 0, 0 }));
  OMEN_VEC_PUSH (trace->extras, ((omen_extra){ 0, 0, 0, OMEN_NONE, 1 }));
  OMEN_VEC_PUSH (trace->modules, ((omen_module){ string (trace, "/bin/x"),
                                                 OMEN_NONE, 0x400000, 4096 }));
  OMEN_VEC_PUSH (trace->modules,
                 ((omen_module){ string (trace, "/lib/y"),
                                 string (trace, "c0ffee"), 1, 2 }));
  trace->program = string (trace, "x --fast");
  trace->flags = OMEN_TRACE_STACKS | OMEN_TRACE_PARTIAL;
  assert_true (omen_trace_seal (trace, NULL));
  return trace;
}

static void
what_recorders_add_comes_back (void **state)
{
  omen_trace *trace = recorded_trace (), *again;
  size_t size;
  char *data = to_binary (trace, 0, &size);
  again = from_binary (data, size);
#define TEXT(id) omen_names_text (&again->strings, (id))
  assert_string_equal (TEXT (again->threads.data[0].path), "0.2.1");
  assert_string_equal (TEXT (again->program), "x --fast");
  assert_int_equal (again->modules.count, 2);
  assert_string_equal (TEXT (again->modules.data[0].path), "/bin/x");
  assert_int_equal (again->modules.data[0].build_id, OMEN_NONE);
  assert_string_equal (TEXT (again->modules.data[1].build_id), "c0ffee");
  assert_int_equal (again->modules.data[0].base, 0x400000);
  assert_int_equal (omen_trace_extra (again, 0)->stack, 1);
  assert_int_equal (again->flags, trace->flags);
  SAME_ARRAY (trace, again, stacks);
  omen_trace_free (again);
  omen_trace_free (trace);
  free (data);
}

/* ---- files by hand ---- */

static void
start (file_bytes *file)
{
  static const char *const threads[] = { "A", "B" };
  static const char *const locks[] = { "l", "m" };
  static const char *const locations[] = { "", "f.c:9" };
  file_put_header (file, file_header ());
  file_put_names (file, OMEN_OPERAND_THREAD, threads, 2);
  file_put_names (file, OMEN_OPERAND_LOCK, locks, 2);
  file_put_names (file, OMEN_TABLE_LOCATIONS, locations, 2);
}

static void
put_events (file_bytes *file, uint32_t stream, uint64_t first, uint32_t count,
            const void *payload, size_t size)
{
  file_put_chunk (file,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_EVENTS,
                                       .stream = stream,
                                       .first = first,
                                       .count = count },
                  payload, size);
}

static void
put_order (file_bytes *file, uint32_t runs, const void *payload, size_t size)
{
  file_put_chunk (file,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_ORDER,
                                       .stream = OMEN_NONE,
                                       .count = runs },
                  payload, size);
}

static void
reads_as (file_bytes *file, const char *want)
{
  omen_trace *trace = from_binary (file->data, file->count);
  char *text = to_text (trace);
  assert_string_equal (text, want);
  free (text);
  omen_trace_free (trace);
  OMEN_VEC_FINI (*file);
}

/* Refused, with a message that has `why` in it. */
static void
refused (file_bytes *file, const char *why)
{
  omen_err err = { 0 };
  assert_null (omen_binary_parse ("t", file->data, file->count, &err));
  if (!strstr (err.what, why))
    fail_msg ("'%s' has no '%s'", err.what, why);
  OMEN_VEC_FINI (*file);
}

static const uint8_t acquire_l[] = { OMEN_ACQUIRE, 0 };
static const uint8_t release_l[] = { OMEN_RELEASE, 0 };

static void
chunks_may_come_in_any_order (void **state)
{
  file_bytes file = { 0 };
  start (&file);
  put_events (&file, 1, 1, 1, release_l, sizeof release_l);
  put_events (&file, 0, 0, 1, acquire_l, sizeof acquire_l);
  put_events (&file, 0, 1, 1, release_l, sizeof release_l);
  put_events (&file, 1, 0, 1, acquire_l, sizeof acquire_l);
  put_order (&file, 2, "\1\2\0\2", 4);
  file_put_end (&file, 8, 4);
  reads_as (&file, "B|acq(l)|\nB|rel(l)|\nA|acq(l)|\nA|rel(l)|\n");
}

static void
one_thread_needs_no_order (void **state)
{
  file_bytes file = { 0 };
  start (&file);
  put_events (&file, 1, 0, 1, acquire_l, sizeof acquire_l);
  file_put_end (&file, 4, 1);
  reads_as (&file, "B|acq(l)|\n");
}

static void
several_threads_need_an_order (void **state)
{
  file_bytes file = { 0 };
  start (&file);
  put_events (&file, 0, 0, 1, acquire_l, sizeof acquire_l);
  put_events (&file, 1, 0, 1, acquire_l, sizeof acquire_l);
  file_put_end (&file, 5, 2);
  refused (&file, "not the order between them");
}

static void
an_order_must_fit_the_events (void **state)
{
  file_bytes file = { 0 };
  start (&file);
  put_events (&file, 0, 0, 1, acquire_l, sizeof acquire_l);
  put_order (&file, 1, "\0\2", 2);
  file_put_end (&file, 5, 1);
  refused (&file, "events of thread A that the file does not have");
  start (&file);
  put_events (&file, 0, 0, 1, acquire_l, sizeof acquire_l);
  put_order (&file, 1, "\1\1", 2);
  file_put_end (&file, 5, 1);
  refused (&file, "events of thread B that the file does not have");
  start (&file);
  put_events (&file, 0, 0, 1, acquire_l, sizeof acquire_l);
  put_events (&file, 1, 0, 1, acquire_l, sizeof acquire_l);
  put_order (&file, 1, "\1\1", 2);
  file_put_end (&file, 6, 2);
  refused (&file, "leaves out 1 events");
  start (&file);
  put_events (&file, 0, 0, 1, acquire_l, sizeof acquire_l);
  put_events (&file, OMEN_NONE, 0, 1, acquire_l, sizeof acquire_l);
  file_put_end (&file, 5, 2);
  refused (&file, "both events of all threads");
}

/* Ordinals and data of later versions are read over. */
static void
extensions_are_read_over (void **state)
{
  static const uint8_t record[]
      = { OMEN_ACQUIRE | OMEN_RECORD_EXTENDED,
          1 << 2,
          1, /* lock m */
          OMEN_EXTENSION_MODE | OMEN_EXTENSION_ORDINAL,
          OMEN_MODE_TRY | OMEN_EXTENSION_MORE,
          0xac,
          0x02, /* ordinal 300 */
          3,
          'x',
          'y',
          'z',
          OMEN_RELEASE,
          0 };
  file_bytes file = { 0 };
  start (&file);
  put_events (&file, 0, 0, 2, record, sizeof record);
  file_put_end (&file, 4, 2);
  reads_as (&file, "A|acq(m,try)|\nA|rel(m)|\n");
}

/* What a recorder will write through omen_record_put. */
static void
ordinals_can_be_written (void **state)
{
  uint8_t payload[2 * OMEN_RECORD_ROOM], *end = payload;
  omen_record_state before = { 0, 0, 0 };
  omen_event event = { .kind = OMEN_ACQUIRE, .location = 1 };
  file_bytes file = { 0 };
  end = omen_record_put (end, &before, &event, UINT64_MAX);
  event.kind = OMEN_RELEASE;
  end = omen_record_put (end, &before, &event, 1);
  assert_int_equal (end - payload, 3 + 11 + 2 + 2);
  start (&file);
  put_events (&file, 0, 0, 2, payload, (size_t)(end - payload));
  file_put_end (&file, 4, 2);
  reads_as (&file, "A|acq(l)|f.c:9\nA|rel(l)|f.c:9\n");
}

static void
unknown_chunks_are_skipped_if_optional (void **state)
{
  file_bytes file = { 0 };
  start (&file);
  file_put_chunk (
      &file, (omen_chunk_header){ .kind = 999, .flags = OMEN_CHUNK_OPTIONAL },
      "later", 5);
  put_events (&file, 0, 0, 1, acquire_l, sizeof acquire_l);
  file_put_end (&file, 5, 1);
  reads_as (&file, "A|acq(l)|\n");
  start (&file);
  file_put_chunk (&file, (omen_chunk_header){ .kind = 999 }, "later", 5);
  file_put_end (&file, 4, 0);
  refused (&file, "use a newer one");
  start (&file);
  file_put_chunk (
      &file, (omen_chunk_header){ .kind = OMEN_CHUNK_EVENTS, .flags = 0x100 },
      "", 0);
  refused (&file, "use a newer one");
}

/* Entries that a later version made longer. */
static void
longer_entries_are_understood (void **state)
{
  static const uint32_t entries[2][4]
      = { { OMEN_NONE, 1, 77, 78 }, { OMEN_NONE, 0, 79, 80 } };
  file_bytes file = { 0 };
  start (&file);
  file_put_chunk (&file,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_THREADS,
                                       .stream = OMEN_NONE,
                                       .count = 2 },
                  entries, sizeof entries);
  put_events (&file, OMEN_NONE, 0, 1, "\6\1\0", 3);
  file_put_end (&file, 5, 1);
  reads_as (&file, "A|acq(l)|\n");
}

/* Hints about the lengths of the threads' lists need not be right. */
static void
wrong_hints_do_no_harm (void **state)
{
  static const uint32_t hints[][2] = { { 0, 3 }, { 3, 0 }, { 1, 2 }, { 2, 1 } };
  static const char records[] = "\6\1\0\7\1\1\7\1\0";
  for (size_t i = 0; i < OMEN_COUNT (hints); i++) {
    uint32_t entries[2][2]
        = { { OMEN_NONE, hints[i][0] }, { OMEN_NONE, hints[i][1] } };
    file_bytes file = { 0 };
    omen_trace *trace;
    start (&file);
    file_put_chunk (&file,
                    (omen_chunk_header){ .kind = OMEN_CHUNK_THREADS,
                                         .stream = OMEN_NONE,
                                         .count = 2 },
                    entries, sizeof entries);
    put_events (&file, OMEN_NONE, 0, 3, records, 9);
    file_put_end (&file, 5, 3);
    trace = from_binary (file.data, file.count);
    assert_int_equal (trace->threads.data[0].count, 2);
    assert_int_equal (trace->threads.data[1].first, 2);
    assert_int_equal (omen_trace_nth (trace, 0, 1), 2);
    assert_int_equal (omen_trace_nth (trace, 1, 0), 1);
    omen_trace_free (trace);
    OMEN_VEC_FINI (file);
  }
}

/* As doc/trace-format.md has it. */
static void
the_example_of_the_document_is_right (void **state)
{
  static const uint8_t records[]
      = { 0x06, 0x14, 0x01, 0x01, 0x01, 0x44, 0x00, 0x05, 0x83,
          0x80, 0x00, 0x01, 0x00, 0x00, 0x09, 0x07, 0x04, 0x01 };
  static const char *const variables[] = { "x" };
  static const uint32_t place[] = { 0, 0, OMEN_WHOLE };
  file_bytes file = { 0 };
  start (&file);
  file_put_names (&file, OMEN_OPERAND_VARIABLE, variables, 1);
  file_put_chunk (&file,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_PLACES,
                                       .stream = OMEN_NONE,
                                       .count = 1 },
                  place, sizeof place);
  put_events (&file, 0, 0, 4, records, sizeof records);
  file_put_end (&file, 6, 4);
  reads_as (&file, "A|acq(m)|f.c:9\nA|w(x=5)|f.c:9\nA|aw.rlx(x=256)|f.c:9\n"
                   "A|rel(m)|f.c:9\n");
}

/* Names in the order in which a recorder met them, not the events. */
static void
ids_become_those_of_the_text (void **state)
{
  static const char *const variables[] = { "x", "unused", "p" };
  static const uint32_t places[][3]
      = { { 0, 4, 2 }, { 2, 0, OMEN_WHOLE }, { 0, 0, OMEN_WHOLE } };
  static const omen_event events[]
      = { { .kind = OMEN_ACQUIRE, .thread = 1, .object = 1, .location = 1 },
          { .kind = OMEN_WRITE,
            .value_kind = OMEN_VALUE_POINTER,
            .value = (uint64_t)2 << 32 },
          { .kind = OMEN_WRITE, .thread = 1, .object = 1 } };
  static const char text[] = "B|acq(m)|f.c:9\nA|w(x+4:2=&p)|\nB|w(p)|\n";
  uint8_t records[3 * OMEN_RECORD_ROOM], *end = records;
  omen_record_state before = { OMEN_NONE, 0, 0 };
  file_bytes file = { 0 };
  omen_trace *trace, *want = from_text (text);
  start (&file);
  file_put_names (&file, OMEN_OPERAND_VARIABLE, variables, 3);
  file_put_chunk (&file,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_PLACES,
                                       .stream = OMEN_NONE,
                                       .count = 3 },
                  places, sizeof places);
  for (int i = 0; i < 3; i++)
    end = omen_record_put (end, &before, &events[i], 0);
  put_events (&file, OMEN_NONE, 0, 3, records, (size_t)(end - records));
  file_put_end (&file, 6, 3);
  trace = from_binary (file.data, file.count);
  same_trace (want, trace);
  assert_int_equal (trace->names[OMEN_OPERAND_VARIABLE].count, 2);
  omen_trace_free (trace);
  omen_trace_free (want);
  OMEN_VEC_FINI (file);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    UNIT (random_traces_come_back),
    UNIT (an_empty_trace_comes_back),
    UNIT (large_ids_come_back),
    UNIT (odd_names_come_back),
    UNIT (what_recorders_add_comes_back),
    UNIT (chunks_may_come_in_any_order),
    UNIT (one_thread_needs_no_order),
    UNIT (several_threads_need_an_order),
    UNIT (an_order_must_fit_the_events),
    UNIT (extensions_are_read_over),
    UNIT (ordinals_can_be_written),
    UNIT (unknown_chunks_are_skipped_if_optional),
    UNIT (longer_entries_are_understood),
    UNIT (wrong_hints_do_no_harm),
    UNIT (the_example_of_the_document_is_right),
    UNIT (ids_become_those_of_the_text),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
