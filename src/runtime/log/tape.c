/* Tapes: buffers of notes, and their way into the file. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "runtime/log/direct.h"
#include "runtime/log/halt.h"

#include <x86intrin.h>

enum { ITEM_MAX = (3 + OMEN_LOG_MORE / 16) * sizeof (omen_note) };
_Static_assert (OMEN_NOTE_HALF + OMEN_BLOCK_WORDS * 8 <= OMEN_TAPE_AT
                    && OMEN_NOTE_HALF + ITEM_MAX <= OMEN_TAPE_AT,
                "what begins in the first half ends before the tape");

omen_tape *omen_tape_for_all;

static omen_tape *spares; /* wait for the next thread */
static omen_latch spares_latch;

/* The span, in it the tape: one mapping, with room to align the span. */
#define MAP_BYTES                                                              \
  (OMEN_NOTE_SPAN + OMEN_TAPE_AT + sizeof (omen_tape) + OMEN_BATCH             \
   + OMEN_CHUNK_ROOM + OMEN_CODE_MAX)
#define LARGE_BYTES(batch)                                                     \
  (OMEN_DIRECT_HEAD + (batch) + OMEN_CHUNK_ROOM + OMEN_CODE_MAX                \
   + OMEN_DIRECT_SLACK)

static omen_tape *
map_tape (void)
{
  uintptr_t at = (uintptr_t)omen_pages (MAP_BYTES);
  if (!at)
    return NULL;
  at = (at + OMEN_NOTE_SPAN - 1) & -(uintptr_t)OMEN_NOTE_SPAN;
  omen_tape *tape = (omen_tape *)(at + OMEN_TAPE_AT);
  tape->span = (uint64_t *)at + 1;
  tape->out = tape->small;
  return tape;
}

static omen_tape *
take_spare (void)
{
  omen_latch_take (&spares_latch);
  omen_tape *tape = spares;
  if (tape)
    spares = tape->next;
  omen_latch_give (&spares_latch);
  return tape;
}

omen_tape *
omen_tape_new (uint32_t stream, uint64_t **cursor)
{
  omen_tape *tape = take_spare ();
  if (!tape)
    tape = map_tape ();
  if (!tape)
    return NULL;
  tape->cursor = cursor ? cursor : &tape->own;
  tape->busy = &omen_rt_busy;
  omen_tape_restart (tape, stream);
  return tape;
}

void
omen_tape_restart (omen_tape *tape, uint32_t stream)
{
  tape->stream = stream;
  tape->written = *tape->cursor = tape->span;
  tape->taken = tape->shut = NULL;
  tape->room = OMEN_NOTE_HALF - 8;
  tape->begun = __rdtsc ();
  tape->index = 0;
  tape->loops = 0;
  tape->current = OMEN_NONE;
  tape->batch = (omen_batch){ .large = tape->batch.large };
  tape->latch = (omen_latch){ 0 };
}

void
omen_tape_free (omen_tape *tape)
{
  omen_latch_take (&spares_latch);
  tape->next = spares;
  spares = tape;
  omen_latch_give (&spares_latch);
}

/* Values go; addresses stay, and all that items say but for bytes. */
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

/* The end of its notes, and the one that may grow, at one moment; false: it is
   not to be had. While the cursor stands, so does the rest: a note is `taken`
   before the cursor passes it, and until the cursor has passed what it has
   become. */
static bool
look (const omen_tape *tape, uint64_t **end, uint64_t **taken)
{
  enum { PATIENCE = 1000 };
  for (unsigned i = 0; i < PATIENCE; i++) {
    *end = __atomic_load_n (tape->cursor, __ATOMIC_ACQUIRE);
    *taken = __atomic_load_n (&tape->taken, __ATOMIC_ACQUIRE);
    if (*end == __atomic_load_n (tape->cursor, __ATOMIC_ACQUIRE))
      return true;
    __builtin_ia32_pause ();
  }
  return false;
}

static bool
may_grow (const uint64_t *taken, const uint64_t *end)
{
  return taken && taken < end && end - taken <= OMEN_SECTION_OPEN;
}

/* The note does not grow, nor will it: `shut` and `busy` are stored and loaded
   in opposite orders by the two threads, with a barrier in between on both
   sides (section.h). */
static bool
is_shut (omen_tape *tape, uint64_t *note)
{
  uint64_t *end, *taken;
  __atomic_store_n (&tape->shut, note, __ATOMIC_RELAXED);
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  return !__atomic_load_n (tape->busy, __ATOMIC_ACQUIRE)
         && look (tape, &end, &taken) && taken == note;
}

/* Up to where its notes can be read; latch held. */
static uint64_t *
end_of (omen_tape *tape)
{
  uint64_t *end, *taken;
  if (!look (tape, &end, &taken))
    return tape->written;
  return may_grow (taken, end) && !is_shut (tape, taken) ? taken : end;
}

/* The notes since the last time become a chunk. Woven code may have been told
   meanwhile that nobody listens: then the cursor is outside. */
static void
make_chunk (omen_tape *tape)
{
  uint64_t *end = end_of (tape);
  uint32_t notes;
  if (end <= tape->written || end > (uint64_t *)tape)
    return;
  if (omen_rt_options.no_values)
    forget_values (tape->written, end);
  size_t size = omen_encode (
      &tape->encoder, tape->written, (size_t)(end - tape->written),
      tape->out + tape->batch.size + OMEN_CHUNK_ROOM, &notes);
  omen_batch_add (&tape->batch, tape->out, tape->stream, tape->index, notes,
                  size);
  tape->index += notes;
  tape->written = end;
}

void
omen_tape_flush (omen_tape *tape)
{
  if (omen_file_closed)
    return;
  make_chunk (tape);
  omen_batch_write (&tape->batch, tape->out);
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

/* A thread that has much to write gets room for large batches; false: it has,
   or it will not. Most threads never do, and memory may be scarce. */
static bool
enlarge (omen_tape *tape)
{
  if (tape->batch.large || tape->stays || !omen_direct_wanted ())
    return false;
  size_t large = next_large ();
  uint8_t *at = omen_pages (LARGE_BYTES (large)); /* begins with a page */
  tape->stays = !at;
  if (!at)
    return false;
  omen_bytes_copy (at + OMEN_DIRECT_HEAD, tape->out, tape->batch.size);
  tape->out = at + OMEN_DIRECT_HEAD;
  tape->batch.large = large;
  return true;
}

/* In a ring threads have to come by soon when they are to stand still (halt.h),
   so who notes little gets a buffer that lasts for about a millisecond. */
static uint64_t *
next_start (omen_tape *tape)
{
  enum { LEAST = 2048, MOST = OMEN_NOTE_HALF - 8 };
  const uint64_t wanted = UINT64_C (1) << 21; /* cycles */
  if (OMEN_LIKELY (!omen_rt_options.ring) || tape->stream == OMEN_NONE)
    return tape->span;
  uint64_t now = __rdtsc (), took = now - tape->begun;
  uint64_t room
      = took > wanted ? tape->room * wanted / took : 2 * (uint64_t)tape->room;
  room = room < LEAST ? LEAST : room > MOST ? MOST : room;
  tape->room = (uint32_t)room & ~7u;
  tape->begun = now;
  return tape->span + (MOST - tape->room) / 8;
}

/* From the start of the span again, or nearly so. The time tells the loader
   roughly how the threads lay beside each other. */
static omen_note *
rewind_tape (omen_tape *tape)
{
  uint64_t *start = next_start (tape);
  omen_note *at = (omen_note *)start;
  omen_tape_close (tape);
  if (!omen_file_closed)
    make_chunk (tape);
  if (omen_batch_full (&tape->batch) && !enlarge (tape))
    omen_batch_write (&tape->batch, tape->out);
  tape->written = start;
  tape->loops = 0;
  if (tape->stream != OMEN_NONE)
    *at++ = (omen_note){ OMEN_ITEM_SITE (OMEN_ITEM_TIME), __rdtsc (), 0 };
  __atomic_store_n (tape->cursor, (uint64_t *)at, __ATOMIC_RELEASE);
  return at;
}

omen_note *
omen_tape_make_room (omen_tape *tape)
{
  bool mine = tape->stream != OMEN_NONE;
  if (mine)
    omen_latch_take (&tape->latch);
  omen_note *room = rewind_tape (tape);
  if (mine) {
    omen_latch_give (&tape->latch);
    omen_log_flush_old ();
    omen_halt_remember ();
  }
  return room;
}

/* Those that wait are whole in the child, too. */
void
omen_tapes_fork (bool begins)
{
  if (begins)
    omen_latch_take (&spares_latch);
  else
    omen_latch_give (&spares_latch);
}
