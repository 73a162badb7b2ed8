/* An index of texts in front of a table of names: a name of up to 24 bytes, as
   nearly all in a trace are, is found by one probe and a few 64-bit comparisons
   within one cache line, without touching the table. Longer ones are compared
   with their first occurrence, so texts must not move.

     omen_word_key ("x", 1, end, &key);
     slot = omen_words_find (&words, &key);    NULL: ask the table, then
     omen_words_put (&words, &key, id);


   Open addressing, at most half full. With more than 2^20 texts no more are
   added: the rest are found in the table. */
#ifndef OMEN_IO_WORDS_H
#define OMEN_IO_WORDS_H

#include "base/mem.h"

#include <string.h>

#define OMEN_WORD_SHORT 24

/* Three words of the text, which may overlap. A long text has its hash in
   `first` and its address in `middle`. */
typedef struct omen_word {
  uint64_t first, middle, last;
  uint32_t length; /* plus one; 0: empty slot, or no key */
  uint32_t id;     /* in a key: its hash */
} omen_word;

typedef struct omen_words {
  omen_word *slots; /* aligned to cache lines */
  void *memory;
  uint32_t count, mask;
} omen_words;

void omen_words_init (omen_words *words);
void omen_words_fini (omen_words *words);
/* Add the key with its id; it must not be in the index. */
void omen_words_put (omen_words *words, const omen_word *key, uint32_t id);

void omen_word_long_key (const char *text, size_t length, omen_word *key);
bool omen_word_long_same (const omen_word *a, const omen_word *b);

/* Multiplies to 128 bits, and combines both halves. */
static inline uint32_t
omen_word_hash (uint64_t first, uint64_t last, uint64_t length)
{
  unsigned __int128 product = (unsigned __int128)(first ^ 0x9e3779b97f4a7c15u)
                              * (last ^ 0xc2b2ae3d27d4eb4fu ^ length << 56);
  return (uint32_t)((uint64_t)product ^ (uint64_t)(product >> 64));
}

/* The key of a text. `end` is the end of its buffer: bytes up to there are
   readable. Nearly branch-free, since the lengths of names are hard to
   predict. */
static inline void
omen_word_key (const char *text, size_t length, const char *end, omen_word *key)
{
  static const uint64_t masks[9]
      = { 0x0,         0xff,         0xffff,         0xffffff,
          0xffffffff,  0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
          ~(uint64_t)0 };
  size_t n = length < 8 ? length : 8;
  uint64_t first = 0, middle = 0, last = 0;
  if (OMEN_UNLIKELY (length > OMEN_WORD_SHORT)) {
    omen_word_long_key (text, length, key);
    return;
  }
  if (OMEN_LIKELY (end - text >= 8)) {
    memcpy (&first, text, 8);
    memcpy (&last, text + length - n, 8);
    first &= masks[n];
    last &= masks[n];
  } else if (length) {
    memcpy (&first, text, n);
    memcpy (&last, text + length - n, n);
  }
  if (OMEN_UNLIKELY (length > 16))
    memcpy (&middle, text + 8, 8);
  *key = (omen_word){ first, middle, last, (uint32_t)length + 1,
                      omen_word_hash (first ^ middle, last, length) };
}

static inline bool
omen_word_same (const omen_word *a, const omen_word *b)
{
  return a->first == b->first && a->last == b->last && a->length == b->length
         && (a->middle == b->middle || omen_word_long_same (a, b));
}

/* The slot of the key, whose id may be changed; NULL if there is none. */
static inline omen_word *
omen_words_find (const omen_words *words, const omen_word *key)
{
  uint32_t i = key->id & words->mask;
  while (OMEN_UNLIKELY (!omen_word_same (&words->slots[i], key))) {
    if (!words->slots[i].length)
      return NULL;
    i = (i + 1) & words->mask;
  }
  return &words->slots[i];
}

#endif
