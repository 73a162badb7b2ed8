/* An index of short texts (up to 24 bytes, as nearly all names of a trace are)
   in front of a table of names: one probe and a few 64-bit comparisons, all in
   one cache line, without touching the table.

     omen_word_key ("x", 1, end, &key);
     slot = omen_words_find (&words, &key);    NULL: ask the table, then
     omen_words_put (&words, &key, id);

   Open addressing, at most half full. Beyond 2^20 texts nothing is added: the
   rest are found in the table. Texts are compared in full. */
#ifndef OMEN_TRACE_WORDS_H
#define OMEN_TRACE_WORDS_H

#include "base/mem.h"

#include <string.h>

#define OMEN_WORD_MAX 24

typedef struct omen_word {
  uint64_t first, middle, last; /* eight bytes each; they may overlap */
  uint32_t length;              /* plus one; 0 is empty */
  uint32_t id;
} omen_word;

typedef struct omen_words {
  omen_word *slots; /* on a boundary of cache lines */
  void *memory;
  uint32_t count, mask;
} omen_words;

void omen_words_init (omen_words *words);
void omen_words_fini (omen_words *words);
/* Remember the key's id; the text must not be there yet. */
void omen_words_put (omen_words *words, const omen_word *key, uint32_t id);

/* The key of a text of at most OMEN_WORD_MAX bytes. `end` is the end of the
   buffer that `text` lies in: up to there bytes may be looked at. Lengths of
   names are hard to predict, so hardly anything branches on them. */
static inline void
omen_word_key (const char *text, size_t length, const char *end,
               omen_word *key)
{
  size_t n = length < 8 ? length : 8;
  uint64_t mask = n ? ~(uint64_t)0 >> (64 - 8 * n) : 0;
  key->first = key->middle = key->last = 0;
  key->length = (uint32_t)length + 1;
  if (OMEN_LIKELY (end - text >= 8)) {
    memcpy (&key->first, text, 8);
    memcpy (&key->last, text + length - n, 8);
    key->first &= mask;
    key->last &= mask;
  } else if (length) {
    memcpy (&key->first, text, n);
    memcpy (&key->last, text + length - n, n);
  }
  if (length > 16)
    memcpy (&key->middle, text + 8, 8);
}

/* Where the search for a key starts. Products carry upwards only: folded
   before the last, of which high bits are taken. */
static inline uint32_t
omen_words_start (const omen_words *words, const omen_word *key)
{
  uint64_t h = (key->first ^ key->middle) * 0x9e3779b97f4a7c15u;
  h ^= (key->last + key->length) * 0xc2b2ae3d27d4eb4fu;
  h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(h >> 40) & words->mask;
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
  uint32_t i = omen_words_start (words, key);
  while (OMEN_UNLIKELY (!omen_word_same (&words->slots[i], key))) {
    if (!words->slots[i].length)
      return NULL;
    i = (i + 1) & words->mask;
  }
  return &words->slots[i];
}

#endif
