/* Inside the decoder of notes: numbers from the bytes of a chunk, the
   columns of a run, and RANGE items. False: there are too few bytes, or they
   make no sense. */
#ifndef OMEN_RECORDING_LOG_TAKE_H
#define OMEN_RECORDING_LOG_TAKE_H

#include "base/defs.h"
#include "recording/log/decode.h"

#include <string.h>

/* A varint. */
static inline bool
omen_take (omen_notes_reader *r, uint64_t *number)
{
  *number = 0;
  for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
    uint64_t byte = *r->at++;
    if (shift == 63 && byte > 1)
      return false;
    *number |= (byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

static inline bool
omen_take_byte (omen_notes_reader *r, uint8_t *byte)
{
  if (r->at == r->end)
    return false;
  *byte = *r->at++;
  return true;
}

/* A number of `width` bytes. Nearly always eight can be read, of which the
   upper ones are dropped: to copy a number of bytes that varies takes much
   longer. */
static inline bool
omen_take_bytes (omen_notes_reader *r, unsigned width, uint64_t *number)
{
  size_t there = (size_t)(r->end - r->at);
  OMEN_ASSERT (width <= 8);
  if (OMEN_LIKELY (there >= 8)) {
    uint64_t word;
    memcpy (&word, r->at, 8);
    *number = width == 8 ? word : word & ((UINT64_C (1) << 8 * width) - 1);
  } else if (there >= width) {
    *number = 0;
    memcpy (number, r->at, width);
  } else
    return false;
  r->at += width;
  return true;
}

static inline uint64_t
omen_unzigzag (uint64_t n)
{
  return n >> 1 ^ -(n & 1);
}

/* A zigzag varint. */
static inline bool
omen_take_distance (omen_notes_reader *r, uint64_t *distance)
{
  if (!omen_take (r, distance))
    return false;
  *distance = omen_unzigzag (*distance);
  return true;
}

/* A word of a note, by its tag. */
static inline bool
omen_take_word (omen_notes_reader *r, unsigned tag, uint64_t guess,
                uint64_t other, uint64_t *word)
{
  unsigned length = tag & 7;
  if (!omen_take_bytes (r, length == 7 ? 8 : length, word))
    return false;
  *word = omen_unzigzag (*word) + (tag & 8 ? other : guess);
  return true;
}

/* All columns of a run of r->run notes of `words` words at r->used; `loads`: of
   each note. */
bool omen_take_columns (omen_notes_reader *r, const omen_notes_local *local,
                        uint32_t words, uint32_t loads);

/* A RANGE item, its words in the runtime before its bytes; *words: how many of
   the runtime's buffer it took. */
enum { OMEN_RANGE_WORDS = 4 };
bool omen_take_range (omen_notes_reader *r, omen_notes_local *local,
                      uint32_t *words);
/* How many notes it is: itself, its length and place, its bytes in PARTs. */
uint32_t omen_range_notes (const omen_notes_reader *r);
void omen_give_range (const omen_notes_reader *r, omen_raw_note *note);

#endif
