/* Thread logs: buffers of notes, and how they get into the file. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "runtime/log/direct.h"
#include "runtime/log/safepoint.h"

#include <x86intrin.h>

enum { ITEM_MAX = (3 + OMEN_LOG_MORE / 16) * sizeof (omen_note) };
_Static_assert (OMEN_NOTE_HALF + OMEN_BLOCK_WORDS * 8 <= OMEN_LOG_AT
                    && OMEN_NOTE_HALF + ITEM_MAX <= OMEN_LOG_AT,
                "what begins in the first half ends before the log");

omen_thread_log *omen_common_log;

static omen_thread_log *spares; /* wait for the next thread */
static omen_latch spares_latch;

/* The span, in it the log: one mapping, with room to align the span. */
#define MAP_BYTES                                                              \
  (OMEN_NOTE_SPAN + OMEN_LOG_AT + sizeof (omen_thread_log) + OMEN_BATCH        \
   + OMEN_CHUNK_ROOM + OMEN_CODE_MAX)
#define LARGE_BYTES(batch)                                                     \
  (OMEN_DIRECT_HEAD + (batch) + OMEN_CHUNK_ROOM + OMEN_CODE_MAX                \
   + OMEN_DIRECT_SLACK)

static omen_thread_log *
map_log (void)
{
  uintptr_t at = (uintptr_t)omen_pages (MAP_BYTES);
  if (!at)
    return NULL;
  at = (at + OMEN_NOTE_SPAN - 1) & -(uintptr_t)OMEN_NOTE_SPAN;
  omen_thread_log *log = (omen_thread_log *)(at + OMEN_LOG_AT);
  log->span = (uint64_t *)at + 1;
  log->out = log->small;
  return log;
}

static omen_thread_log *
take_spare (void)
{
  omen_latch_take (&spares_latch);
  omen_thread_log *log = spares;
  if (log)
    spares = log->next;
  omen_latch_give (&spares_latch);
  return log;
}

omen_thread_log *
omen_thread_log_new (uint32_t stream, uint64_t **cursor)
{
  omen_thread_log *log = take_spare ();
  if (!log)
    log = map_log ();
  if (!log)
    return NULL;
  log->cursor = cursor ? cursor : &log->own;
  log->busy = &omen_rt_busy;
  omen_thread_log_restart (log, stream);
  return log;
}

/* How many chunks continue one. Longer chains make smaller files (leveldb: 3 to
   5 %), but the loader decodes a chain from its first chunk on when it looks
   ahead in a thread. */
enum { CHAIN = 15 };

void
omen_thread_log_restart (omen_thread_log *log, uint32_t stream)
{
  log->stream = stream;
  log->written = *log->cursor = log->span;
  log->open = log->sealed = NULL;
  log->room = OMEN_NOTE_HALF - 8;
  log->begun = __rdtsc ();
  log->index = 0;
  bool chains = omen_file_chains ();
  omen_encoder_init (&log->encoder, chains,
                     chains && stream != OMEN_NONE ? CHAIN : 0);
  log->loops = 0;
  log->current = OMEN_NONE;
  log->batch = (omen_batch){ .large = log->batch.large };
  log->latch = (omen_latch){ 0 };
}

void
omen_thread_log_free (omen_thread_log *log)
{
  omen_latch_take (&spares_latch);
  log->next = spares;
  spares = log;
  omen_latch_give (&spares_latch);
}

/* Drops values, and the bytes of ranges; keeps addresses and the rest of items.
 */
static void
forget_values (uint64_t *at, const uint64_t *end)
{
  while (at < end) {
    const omen_code_block *block = (const omen_code_block *)at[0];
    if (block->kind == OMEN_SITE_BLOCK) {
      unsigned first = 1u + block->bases;
      if (!omen_is_item_block (block))
        omen_bytes_zero (at + first, 8 * (block->words - first));
      at += block->words;
    } else if (block->kind == OMEN_HEAD_BYTES) {
      omen_bytes_zero (at + OMEN_BYTES_WORDS,
                       8 * (omen_bytes_end (at) - OMEN_BYTES_WORDS));
      at += omen_bytes_words (at);
    } else {
      if (block->kind == OMEN_SITE_LOAD || block->kind == OMEN_SITE_STORE)
        at[2] = 0;
      at += sizeof (omen_note) / 8;
    }
  }
}

/* A consistent snapshot of the log's end and of the note that may still grow;
   false: the cursor moved at every attempt. An unchanged cursor makes it
   consistent: a note is `open` before the cursor passes it, and until the
   cursor has passed what it has become. */
static bool
look_at_log (const omen_thread_log *log, uint64_t **end, uint64_t **open)
{
  enum { ATTEMPTS = 1000 };
  for (unsigned i = 0; i < ATTEMPTS; i++) {
    *end = __atomic_load_n (log->cursor, __ATOMIC_ACQUIRE);
    *open = __atomic_load_n (&log->open, __ATOMIC_ACQUIRE);
    if (*end == __atomic_load_n (log->cursor, __ATOMIC_ACQUIRE))
      return true;
    __builtin_ia32_pause ();
  }
  return false;
}

static bool
may_grow (const uint64_t *open, const uint64_t *end)
{
  return open && open < end && end - open <= OMEN_FUSED_OPEN;
}

/* The note does not grow, nor will it: `sealed` and `busy` are stored and
   loaded in opposite orders by the two threads, with a barrier in between on
   both sides (fused.h). */
static bool
is_sealed (omen_thread_log *log, uint64_t *note)
{
  uint64_t *end, *open;
  __atomic_store_n (&log->sealed, note, __ATOMIC_RELAXED);
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  return !__atomic_load_n (log->busy, __ATOMIC_ACQUIRE)
         && look_at_log (log, &end, &open) && open == note;
}

/* Up to where its notes can be read; latch held. */
static uint64_t *
end_of_notes (omen_thread_log *log)
{
  uint64_t *end, *open;
  if (!look_at_log (log, &end, &open))
    return log->written;
  return may_grow (open, end) && !is_sealed (log, open) ? open : end;
}

/* Encodes the notes since the last call as a chunk. If recording was disabled
   meanwhile, the cursor points outside the buffer. */
static void
make_chunk (omen_thread_log *log)
{
  uint64_t *end = end_of_notes (log);
  uint32_t notes;
  if (end <= log->written || end > (uint64_t *)log)
    return;
  if (omen_rt_options.no_values)
    forget_values (log->written, end);
  size_t size
      = omen_encode (&log->encoder, log->written, (size_t)(end - log->written),
                     log->out + log->batch.size + OMEN_CHUNK_ROOM, &notes);
  omen_batch_add (&log->batch, log->out, log->stream, log->index, notes, size,
                  log->encoder.continues);
  log->index += notes;
  log->written = end;
}

void
omen_thread_log_flush (omen_thread_log *log)
{
  if (omen_file_closed)
    return;
  make_chunk (log);
  omen_batch_write (&log->batch, log->out);
}

/* How large the batches of one more thread may be. */
static size_t
next_large (void)
{
  enum { HUGE_ONES = 16 };
  static unsigned made;
  return __atomic_fetch_add (&made, 1, __ATOMIC_RELAXED) < HUGE_ONES
             ? OMEN_BATCH_HUGE
             : OMEN_BATCH_LARGE;
}

/* Gives a thread that writes much room for large batches; false: it has it
   already, or gets none. Most threads need none, and memory may be scarce. */
static bool
enlarge (omen_thread_log *log)
{
  if (log->batch.large || log->stays || !omen_direct_wanted ())
    return false;
  size_t large = next_large ();
  uint8_t *at = omen_pages (LARGE_BYTES (large)); /* begins with a page */
  log->stays = !at;
  if (!at)
    return false;
  omen_bytes_copy (at + OMEN_DIRECT_HEAD, log->out, log->batch.size);
  log->out = at + OMEN_DIRECT_HEAD;
  log->batch.large = large;
  return true;
}

/* In a ring, threads have to reach a safepoint soon after it is requested
   (safepoint.h), so a thread that logs little gets a buffer that lasts for
   about a millisecond. */
static uint64_t *
next_start (omen_thread_log *log)
{
  enum { LEAST = 2048, MOST = OMEN_NOTE_HALF - 8 };
  const uint64_t wanted = UINT64_C (1) << 21; /* cycles */
  if (OMEN_LIKELY (!omen_rt_options.ring) || log->stream == OMEN_NONE)
    return log->span;
  uint64_t now = __rdtsc (), took = now - log->begun;
  uint64_t room
      = took > wanted ? log->room * wanted / took : 2 * (uint64_t)log->room;
  room = room < LEAST ? LEAST : room > MOST ? MOST : room;
  log->room = (uint32_t)room & ~7u;
  log->begun = now;
  return log->span + (MOST - log->room) / 8;
}

/* Continues at the start of the span, or nearly there. From the time the loader
   knows roughly which parts of the threads' logs were concurrent. */
static omen_note *
rewind_log (omen_thread_log *log)
{
  uint64_t *start = next_start (log);
  omen_note *at = (omen_note *)start;
  omen_thread_log_close (log);
  if (!omen_file_closed)
    make_chunk (log);
  if (omen_batch_full (&log->batch) && !enlarge (log))
    omen_batch_write (&log->batch, log->out);
  log->written = start;
  log->loops = 0;
  if (log->stream != OMEN_NONE)
    *at++ = (omen_note){ OMEN_ITEM_SITE (OMEN_ITEM_TIME), __rdtsc (), 0 };
  __atomic_store_n (log->cursor, (uint64_t *)at, __ATOMIC_RELEASE);
  return at;
}

omen_note *
omen_thread_log_make_room (omen_thread_log *log)
{
  bool mine = log->stream != OMEN_NONE;
  if (mine)
    omen_latch_take (&log->latch);
  omen_note *room = rewind_log (log);
  if (mine) {
    omen_latch_give (&log->latch);
    omen_log_flush_old ();
    omen_safepoint_remember ();
  }
  return room;
}

/* Those that wait are whole in the child, too. */
void
omen_thread_logs_fork (bool begins)
{
  if (begins)
    omen_latch_take (&spares_latch);
  else
    omen_latch_give (&spares_latch);
}
