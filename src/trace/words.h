/* A small cache in front of a table of names: short texts (up to 24 bytes, as
   nearly all names of a trace are) map to their ids by one probe and a few
   64-bit comparisons, without touching the table.

   Two texts share a pair of slots, which is a cache line; a third one replaces
   the older of them. Texts are compared in full, so a hit is always right as
   long as whoever changes the meaning of a text drops it here. */
#ifndef OMEN_TRACE_WORDS_H
#define OMEN_TRACE_WORDS_H

#include "base/mem.h"

#include <string.h>

#define OMEN_WORD_MAX 24

typedef struct omen_word {
  uint64_t first, middle, last; /* eight bytes each; they may overlap */
  uint32_t length; /* plus one; 0 is empty */
  uint32_t id;
} omen_word;

typedef struct omen_words {
  omen_word *slots; /* pairs, each in one line */
  void *memory;
  uint32_t mask;
} omen_words;

/* Room for 2^bits texts. */
static inline void
omen_words_init (omen_words *words, unsigned bits)
{
  bits = OMEN_HARD_OR (1, bits);
  words->memory = omen_zalloc (((size_t)1 << bits) + 2, sizeof (omen_word));
  words->slots = (omen_word *)(((uintptr_t)words->memory + 63)
                               & ~(uintptr_t)63);
  words->mask = ((uint32_t)1 << bits) - 1;
}

static inline void
omen_words_fini (omen_words *words)
{
  omen_free (words->memory);
}

/* The key of a text of at most OMEN_WORD_MAX bytes. `end` is the end of the
   buffer that `text` lies in: up to there bytes may be looked at. */
static inline void
omen_word_key (const char *text, size_t length, const char *end,
               omen_word *key)
{
  key->first = key->middle = key->last = 0;
  key->length = (uint32_t)length + 1;
  if (length >= 8) {
    memcpy (&key->first, text, 8);
    memcpy (&key->last, text + length - 8, 8);
    if (length > 16)
      memcpy (&key->middle, text + 8, 8);
  } else if (length && end - text >= 8) {
    memcpy (&key->first, text, 8);
    key->first &= ~(uint64_t)0 >> (64 - 8 * length);
  } else
    memcpy (&key->first, text, length);
}

/* Where the key belongs. Products carry upwards only: folded before the last,
   of which the high bits are taken. */
static inline omen_word *
omen_words_slot (const omen_words *words, const omen_word *key)
{
  uint64_t h = (key->first ^ key->middle) * 0x9e3779b97f4a7c15u;
  h ^= (key->last + key->length) * 0xc2b2ae3d27d4eb4fu;
  h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
  return &words->slots[h >> 40 & words->mask];
}

static inline bool
omen_word_same (const omen_word *a, const omen_word *b)
{
  return a->first == b->first && a->last == b->last && a->length == b->length
         && a->middle == b->middle;
}

/* The slot that holds the key, or NULL. */
static inline omen_word *
omen_words_find (const omen_words *words, const omen_word *key)
{
  omen_word *slot = omen_words_slot (words, key);
  if (OMEN_LIKELY (omen_word_same (slot, key)))
    return slot;
  slot = words->slots + ((slot - words->slots) ^ 1);
  return omen_word_same (slot, key) ? slot : NULL;
}

/* Remember the key's id; the text must not be there. */
static inline void
omen_words_put (omen_words *words, const omen_word *key, uint32_t id)
{
  omen_word *slot = omen_words_slot (words, key);
  words->slots[(slot - words->slots) ^ 1] = *slot;
  *slot = *key;
  slot->id = id;
}

static inline void
omen_words_drop (omen_words *words, const omen_word *key)
{
  omen_word *slot = omen_words_find (words, key);
  if (slot)
    slot->length = 0;
}

#endif
