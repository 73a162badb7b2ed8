/* A small cache in front of a table of names: short texts (up to 16 bytes, as
   nearly all names of a trace are) map to their ids by one probe and two
   64-bit comparisons, without touching the table.

   Direct-mapped: a text that falls on an occupied slot replaces what was there.
   The text is compared in full, so a hit is always right as long as whoever
   changes the meaning of a text puts or drops it here. */
#ifndef OMEN_TRACE_WORDS_H
#define OMEN_TRACE_WORDS_H

#include "base/mem.h"

#include <string.h>

#define OMEN_WORD_MAX 16

typedef struct omen_word {
  uint64_t low, high;
  uint32_t length; /* plus one; 0 is empty */
  uint32_t id;
} omen_word;

typedef struct omen_words {
  omen_word *slots;
  uint32_t mask;
} omen_words;

/* Room for 2^bits texts. */
static inline void
omen_words_init (omen_words *words, unsigned bits)
{
  bits = OMEN_HARD_OR (1, bits);
  words->slots = omen_zalloc ((size_t)1 << bits, sizeof *words->slots);
  words->mask = ((uint32_t)1 << bits) - 1;
}

static inline void
omen_words_fini (omen_words *words)
{
  omen_free (words->slots);
}

/* The slot of a text of at most OMEN_WORD_MAX bytes. `end` is the end of the
   buffer that `text` lies in: up to there bytes may be looked at. */
static inline omen_word *
omen_words_slot (const omen_words *words, const char *text, size_t length,
                 const char *end, omen_word *key)
{
  key->low = key->high = 0;
  key->length = (uint32_t)length + 1;
  if (length >= 8) {
    memcpy (&key->low, text, 8);
    memcpy (&key->high, text + length - 8, 8);
  } else if (length && end - text >= 8) {
    memcpy (&key->low, text, 8);
    key->low &= ~(uint64_t)0 >> (64 - 8 * length);
  } else
    memcpy (&key->low, text, length);
  return &words->slots[(((key->low ^ key->high * 0xc2b2ae3d27d4eb4fu)
                         * 0x9e3779b97f4a7c15u)
                        >> 40)
                       & words->mask];
}

static inline bool
omen_word_same (const omen_word *a, const omen_word *b)
{
  return a->low == b->low && a->high == b->high && a->length == b->length;
}

#endif
