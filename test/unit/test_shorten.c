/* recording/log/file.h: what is left of a recording that is too long. */
#include "unit.h"

#include "recording/log/file.h"

enum { CHUNKS = 4, NOTES = 100 };

/* Threads with four chunks each of 100 notes. */
typedef struct shortened {
  omen_binary_reader reader;
  omen_notes_file file;
  omen_chunk chunks[3][CHUNKS];
} shortened;

static void
set_up (shortened *s, uint32_t threads)
{
  *s = (shortened){ 0 };
  s->file.reader = &s->reader;
  s->reader.trace
      = omen_trace_new ("made"); /* told that no chunk can be read */
  s->reader.notes = threads * CHUNKS * NOTES;
  omen_notes_depends_init (&s->file.depends);
  for (uint32_t t = 0; t < threads; t++) {
    for (uint32_t i = 0; i < CHUNKS; i++) {
      s->chunks[t][i].header.first = i * NOTES;
      s->chunks[t][i].header.count = NOTES;
    }
    OMEN_VEC_PUSH (s->file.threads, ((omen_notes_thread){
                                        .id = t,
                                        .chunks = s->chunks[t],
                                        .count = CHUNKS,
                                        .notes = CHUNKS * NOTES,
                                    }));
  }
}

/* Is so much of thread t left? */
static void
assert_left (const shortened *s, uint32_t t, uint32_t chunks)
{
  const omen_notes_thread *thread = &s->file.threads.data[t];
  assert_int_equal (thread->count, chunks);
  assert_int_equal (thread->notes, chunks * NOTES);
  assert_int_equal (thread->shortened, chunks < CHUNKS);
  assert_int_equal (thread->cut, chunks < CHUNKS);
}

static void
tear_down (shortened *s)
{
  assert_true (s->reader.lossy);
  omen_trace_free (s->reader.trace);
  OMEN_VEC_FINI (s->file.threads);
  omen_notes_depends_fini (&s->file.depends);
}

static void
time_is (omen_chunk_times *times, uint32_t thread, uint32_t chunk,
         uint64_t time)
{
  OMEN_VEC_PUSH (*times, ((omen_chunk_time){ time, thread, chunk }));
}

/* Thread 1 works after thread 0, which the first chunks of both do not say;
   thread 2 works all the time, and its third chunk has no time of its own. */
static void
what_is_earlier_stays (void **state)
{
  shortened s;
  omen_chunk_times times = { 0 };
  (void)state;
  set_up (&s, 3);
  for (uint32_t i = 0; i < CHUNKS; i++)
    time_is (&times, 0, i, 10 + i);
  for (uint32_t i = 0; i < CHUNKS; i++)
    time_is (&times, 1, i, 20 + i);
  time_is (&times, 2, 0, 9);
  time_is (&times, 2, 1, 12);
  time_is (&times, 2, 3, 22);
  omen_notes_file_shorten (&s.file, 7 * NOTES, &times);
  assert_left (&s, 0, CHUNKS);
  assert_left (&s, 1, 0);
  assert_left (&s, 2, 3);
  OMEN_VEC_FINI (times);
  tear_down (&s);
}

/* One chunk is left whatever the limit is. */
static void
something_stays (void **state)
{
  shortened s;
  omen_chunk_times times = { 0 };
  (void)state;
  set_up (&s, 2);
  time_is (&times, 0, 0, 7);
  time_is (&times, 1, 0, 6);
  omen_notes_file_shorten (&s.file, 0, &times);
  assert_left (&s, 0, 0);
  assert_left (&s, 1, 1);
  OMEN_VEC_FINI (times);
  tear_down (&s);
}

static void
without_times_all_threads_have_as_many (void **state)
{
  shortened s;
  (void)state;
  set_up (&s, 2);
  omen_notes_file_shorten (&s.file, 4 * NOTES - 1, &(omen_chunk_times){ 0 });
  assert_left (&s, 0, 2);
  assert_left (&s, 1, 2);
  tear_down (&s);
}

UNIT_MAIN (UNIT (what_is_earlier_stays), UNIT (something_stays),
           UNIT (without_times_all_threads_have_as_many))
