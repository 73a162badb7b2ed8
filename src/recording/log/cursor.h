/* A walk over the notes of one thread, item by item (recording.h: a note of
   woven code is an item; a note of the runtime is one with the PARTs that
   follow).

     omen_cursor_init (&cursor, &file, thread);
     while (omen_cursor_peek (&cursor, &item)) {
       use (&item);                            valid until the cursor moves
       omen_cursor_pass (&cursor, &item);
     }
     omen_cursor_fini (&cursor);

   A position is the index of a note in its stream. Chunks are decoded one at a
   time into a buffer of the cursor (64 KiB); going back within it is free, else
   a chunk is decoded again. */
#ifndef OMEN_RECORDING_LOG_CURSOR_H
#define OMEN_RECORDING_LOG_CURSOR_H

#include "recording/log/decode.h"
#include "recording/log/file.h"

/* No site of the file: a note that stands for so many items as `a` says, which
   were dropped (scan/extract.h). Its kind is 0. */
#define OMEN_SKIPPED 0
/* The site of PARTs. */
#define OMEN_PART_ID 1

/* A load without value; and one that code outside may have changed. */
#define OMEN_LEFT_UNKNOWN UINT32_MAX
#define OMEN_LEFT_OUTSIDE (UINT32_MAX - 1)

typedef struct omen_item {
  uint8_t kind;   /* omen_site_kind, or omen_item_kind */
  uint8_t size;   /* of a woven access */
  uint32_t site;  /* id */
  uint32_t notes; /* this many */
  uint64_t a, b;  /* woven: address, value …; runtime: object, number */
  uint32_t left;  /* as omen_raw_note, or OMEN_LEFT_… */
  const omen_raw_note *parts; /* runtime: notes - 1 */
  uint64_t object; /* runtime: its address in the program, which gives the shard
                      (a: in its first mapping, log/mappings.h) */
} omen_item;

typedef struct omen_note_cursor {
  const omen_notes_file *file;
  const omen_notes_thread *thread;
  OMEN_VEC (omen_raw_note) notes; /* decoded */
  uint64_t base;                  /* position of notes.data[0] */
  uint32_t at;                    /* in notes */
  uint32_t chunk;                 /* the next one to decode */
  uint8_t *unpacked;
  omen_notes_reader *reader;
  uint32_t read; /* index of the chunk after the last one that it has read */
  const omen_chunk *broken; /* a chunk that could not be decoded to its end */
  bool lost;                /* it is damaged, not wrong */
} omen_note_cursor;

void omen_cursor_init (omen_note_cursor *cursor, const omen_notes_file *file,
                       const omen_notes_thread *thread);
void omen_cursor_fini (omen_note_cursor *cursor);

/* Decodes more; false at the end. For the functions below. */
bool omen_cursor_fill (omen_note_cursor *cursor);
bool omen_cursor_gather (omen_note_cursor *cursor, omen_item *item);
void omen_cursor_seek (omen_note_cursor *cursor, uint64_t position);
/* Values of loads were resolved meanwhile: applies them to what is already
   decoded. */
void omen_cursor_renew (omen_note_cursor *cursor);
/* Sets what the load notes.data[i], part of a checksum, has read (left: 0), or
   OMEN_LEFT_…, for all cursors. In the order of positions. */
void omen_cursor_settle (omen_note_cursor *cursor, size_t i, uint64_t value,
                         uint32_t left);

static inline uint64_t
omen_cursor_position (const omen_note_cursor *cursor)
{
  return cursor->base + cursor->at;
}

/* The item at the cursor; false at the end of the usable part. */
static inline bool
omen_cursor_peek (omen_note_cursor *cursor, omen_item *item)
{
  const omen_raw_note *note;
  const omen_file_site *site;
  if (OMEN_UNLIKELY (cursor->at == cursor->notes.count)
      && !omen_cursor_fill (cursor))
    return false;
  note = &cursor->notes.data[cursor->at];
  site = &cursor->file->sites.data[note->site];
  *item = (omen_item){ site->kind, site->size, note->site, 1, note->a,
                       note->b,    note->left, NULL,       0 };
  return item->kind < OMEN_ITEM_FIRST || omen_cursor_gather (cursor, item);
}

static inline void
omen_cursor_pass (omen_note_cursor *cursor, const omen_item *item)
{
  OMEN_ASSERT (item->notes <= cursor->notes.count - cursor->at);
  cursor->at += item->notes;
}

/* Does the chunk begin inside an item? */
bool omen_notes_splits (const omen_notes_file *file,
                        const omen_notes_thread *thread, uint32_t chunk);
/* After the scan: from now on memory that has several addresses has one, unless
   the recording is vague (log/mappings.h). */
void omen_notes_unify (omen_notes_file *file);

/* ---- fields of runtime items ---- */

static inline uint64_t
omen_item_arg (const omen_item *item)
{
  return item->parts[0].a;
}

static inline uint64_t
omen_item_pc (const omen_item *item)
{
  return item->parts[0].b;
}

/* THREAD_BEGIN: the thread's stack, and its thread-local variables at the upper
   end of it; empty if unknown. `pointer`: the thread pointer, or 0. */
typedef struct omen_own_memory {
  uint64_t stack, stack_end, locals, locals_end, pointer;
} omen_own_memory;

static inline omen_own_memory
omen_item_own_memory (const omen_item *item)
{
  omen_own_memory own = { 0 };
  if (item->notes <= 2 || item->parts[1].a >= item->parts[1].b)
    return own;
  own.stack = item->parts[1].a;
  own.stack_end = item->parts[1].b;
  if (item->notes > 4)
    own.pointer = item->parts[3].a;
  if (item->notes <= 3 || item->parts[2].a <= own.stack
      || item->parts[2].a >= item->parts[2].b
      || item->parts[2].b > own.stack_end
      || item->parts[2].b - item->parts[2].a >= UINT32_MAX)
    return own;
  own.locals = item->parts[2].a;
  own.locals_end = item->parts[2].b;
  return own;
}

/* RANGE_READ and RANGE_WRITE: number of bytes, and byte i. */
static inline uint64_t
omen_item_length (const omen_item *item)
{
  return item->parts[0].a & ~(UINT64_C (1) << 63);
}

/* A range is split into pieces of 8 bytes, the last one of 1 to 8: the size of
   the piece at byte i (a multiple of 8), and its bytes. */
static inline unsigned
omen_item_piece (const omen_item *item, uint64_t i)
{
  uint64_t left = omen_item_length (item) - i;
  return left < 8 ? (unsigned)left : 8;
}

static inline uint64_t
omen_item_bytes (const omen_item *item, uint64_t i, unsigned size)
{
  const omen_raw_note *part = &item->parts[1 + i / 16];
  uint64_t word = i % 16 ? part->b : part->a;
  return size < 8 ? word & ((UINT64_C (1) << 8 * size) - 1) : word;
}

#endif
