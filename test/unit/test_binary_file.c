/* trace: binary files made by hand, right and wrong. */
#include "unit.h"

#include "binary_file.h"
#include "forms.h"
#include "wire/recording.h"

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

/* Logs of threads are no business of this reader (load/load.h). */
static void
recordings_are_refused (void **state)
{
  file_bytes file = { 0 };
  start (&file);
  file_put_chunk (&file,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_NOTES, .count = 1 },
                  "\0", 1);
  file_put_end (&file, 5, 0);
  refused (&file, "is a recording");
}

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
  refused (&file, "leaves out 1 event");
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

/* Also far from the end of the chunk, where records are decoded in haste. */
static void
a_thread_has_only_its_own_events (void **state)
{
  uint8_t records[2 * 40 + 1] = { 0 };
  file_bytes file = { 0 };
  for (int i = 0; i < 40; i++)
    records[2 * i + (i > 9)] = i % 2 ? OMEN_RELEASE : OMEN_ACQUIRE;
  records[2 * 9 + 1] = 1; /* event 9 has a thread, B */
  records[2 * 9 + 2] = 1;
  start (&file);
  put_events (&file, 1, 0, 40, records, sizeof records);
  put_events (&file, 0, 0, 40, records, sizeof records);
  put_order (&file, 2, "\1\50\0\50", 4);
  file_put_end (&file, 6, 80);
  refused (&file, "event 9: its thread");
}

/* Only then do equal values have equal (kind, value). */
static void
a_number_has_one_kind (void **state)
{
  static const char *const variables[] = { "x" };
  static const uint32_t place[] = { 0, 0, OMEN_WHOLE };
  for (uint8_t kind = 0; kind < 8; kind++) {
    uint8_t record[] = { OMEN_WRITE | OMEN_RECORD_EXTENDED, 1 << 6, 5, kind };
    file_bytes file = { 0 };
    start (&file);
    file_put_names (&file, OMEN_OPERAND_VARIABLE, variables, 1);
    file_put_chunk (&file,
                    (omen_chunk_header){ .kind = OMEN_CHUNK_PLACES,
                                         .stream = OMEN_NONE,
                                         .count = 1 },
                    place, sizeof place);
    put_events (&file, 0, 0, 1, record, sizeof record);
    file_put_end (&file, 6, 1);
    if (kind == OMEN_VALUE_INT)
      reads_as (&file, "A|w(x=5)|\n");
    else if (kind == OMEN_VALUE_POINTER)
      reads_as (&file, "A|w(x=&x+5)|\n");
    else
      refused (&file, "its value");
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
    UNIT (recordings_are_refused),
    UNIT (chunks_may_come_in_any_order),
    UNIT (one_thread_needs_no_order),
    UNIT (several_threads_need_an_order),
    UNIT (an_order_must_fit_the_events),
    UNIT (extensions_are_read_over),
    UNIT (ordinals_can_be_written),
    UNIT (unknown_chunks_are_skipped_if_optional),
    UNIT (longer_entries_are_understood),
    UNIT (wrong_hints_do_no_harm),
    UNIT (a_thread_has_only_its_own_events),
    UNIT (a_number_has_one_kind),
    UNIT (the_example_of_the_document_is_right),
    UNIT (ids_become_those_of_the_text),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
