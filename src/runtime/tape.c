/* Tapes: buffers of notes, and their way into the file. */
#include "runtime/core.h"
#include "trace/format.h"

#include <x86intrin.h>

enum { SPAN_NOTES = 2730 };
_Static_assert (16 + SPAN_NOTES * sizeof (omen_note) == OMEN_NOTE_SPAN,
                "a span is full of notes");

omen_tape *omen_tape_for_all;

static omen_tape *spares; /* wait for the next thread */
static omen_latch spares_latch;

/* The span, then the tape: one mapping, with room to align the span. */
#define TAPE_BYTES                                                             \
  (sizeof (omen_tape) + OMEN_CHUNK_ROOM + SPAN_NOTES * OMEN_NOTE_CODE_MAX)
#define MAP_BYTES ((TAPE_BYTES + 2 * OMEN_NOTE_SPAN) & -(size_t)4096)

static omen_tape *
map_tape (void)
{
  uintptr_t at = (uintptr_t)omen_pages (MAP_BYTES);
  if (!at)
    return NULL;
  uintptr_t end = (at + 2 * OMEN_NOTE_SPAN - 1) & -(uintptr_t)OMEN_NOTE_SPAN;
  omen_tape *tape = (omen_tape *)end;
  tape->span = (omen_note *)end - SPAN_NOTES;
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
omen_tape_new (uint32_t stream, omen_note **cursor)
{
  omen_tape *tape = take_spare ();
  if (!tape)
    tape = map_tape ();
  if (!tape)
    return NULL;
  tape->cursor = cursor ? cursor : &tape->own;
  omen_tape_restart (tape, stream);
  return tape;
}

void
omen_tape_restart (omen_tape *tape, uint32_t stream)
{
  tape->stream = stream;
  tape->written = *tape->cursor = tape->span;
  tape->index = 0;
  tape->current = OMEN_NONE;
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

static bool
is_woven (const omen_note *note)
{
  return note->site->kind < OMEN_ITEM_FIRST;
}

static void
forget_values (omen_note *notes, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (notes[i].site->kind == OMEN_SITE_LOAD
        || notes[i].site->kind == OMEN_SITE_STORE)
      notes[i].b = 0;
}

/* Woven code may have been sent to its scrap meanwhile: then the cursor is
   outside. */
void
omen_tape_flush (omen_tape *tape, bool whole)
{
  omen_note *end = __atomic_load_n (tape->cursor, __ATOMIC_ACQUIRE);
  if (omen_file_closed || end <= tape->written
      || end > tape->span + SPAN_NOTES)
    return;
  if (!whole && is_woven (end - 1))
    end--;
  if (end == tape->written)
    return;
  size_t count = (size_t)(end - tape->written);
  if (omen_rt_options.no_values)
    forget_values (tape->written, count);
  omen_encoder_reset (&tape->encoder);
  uint8_t *payload = tape->out + OMEN_CHUNK_ROOM;
  size_t size
      = omen_encode (&tape->encoder, tape->written, count, payload);
  omen_file_notes_chunk (tape->stream, tape->index, (uint32_t)count, payload,
                         size);
  tape->index += count;
  tape->written = end;
}

/* From the start of the span again. The time tells the loader roughly how the
   threads lay beside each other. */
static omen_note *
rewind_tape (omen_tape *tape)
{
  omen_note *at = tape->span;
  omen_tape_flush (tape, true);
  tape->written = at;
  if (tape->stream != OMEN_NONE)
    *at++ = (omen_note){ __rdtsc (), 0, OMEN_ITEM_SITE (OMEN_ITEM_TIME) };
  __atomic_store_n (tape->cursor, at, __ATOMIC_RELEASE);
  return at;
}

omen_note *
omen_tape_room (omen_tape *tape, size_t count)
{
  omen_note *at = *tape->cursor;
  size_t used = (uintptr_t)at % OMEN_NOTE_SPAN;
  bool mine = tape->stream != OMEN_NONE;
  if (OMEN_LIKELY (used && used + count * sizeof *at <= OMEN_NOTE_SPAN))
    return at;
  if (mine)
    omen_latch_take (&tape->latch);
  at = rewind_tape (tape);
  if (mine) {
    omen_latch_give (&tape->latch);
    omen_log_flush_old ();
  }
  return at;
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
