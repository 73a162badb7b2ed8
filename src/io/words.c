#include "io/words.h"

#include "trace/pages.h"

#define FIRST_SLOTS OMEN_HARD_OR (2, 64)
#define MOST_SLOTS ((uint32_t)1 << 21)
#define LINE ((size_t)64)
#define LARGE ((size_t)2 << 20)

/* Aligned to cache lines, or to huge pages if large enough. */
static void
make_slots (omen_words *words, uint32_t slots)
{
  size_t bytes = slots * sizeof (omen_word);
  size_t align = bytes >= LARGE ? LARGE : LINE;
  words->memory = omen_zalloc (bytes + align, 1);
  words->slots = (omen_word *)(((uintptr_t)words->memory + align - 1)
                               & ~(uintptr_t)(align - 1));
  OMEN_ASSERT ((char *)words->slots + bytes
               <= (char *)words->memory + bytes + align);
  omen_pages_huge (words->slots, bytes);
  words->mask = slots - 1;
}

void
omen_words_init (omen_words *words)
{
  words->count = 0;
  make_slots (words, FIRST_SLOTS);
}

void
omen_words_fini (omen_words *words)
{
  omen_free (words->memory);
}

void
omen_word_long_key (const char *text, size_t length, omen_word *key)
{
  uint64_t h = length, word;
  key->length = 0;
  if (length >= UINT32_MAX)
    return;
  for (size_t i = 0; i + 8 <= length; i += 8) {
    memcpy (&word, text + i, 8);
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  h = OMEN_HARD_OR (0, h); /* all collide, so that the texts are compared */
  memcpy (&word, text + length - 8, 8);
  *key = (omen_word){ h, (uintptr_t)text, word, (uint32_t)length + 1,
                      omen_word_hash (h, word, length) };
}

bool
omen_word_long_same (const omen_word *a, const omen_word *b)
{
  return a->length == b->length && a->length > OMEN_WORD_SHORT + 1
         && !memcmp ((const char *)(uintptr_t)a->middle,
                     (const char *)(uintptr_t)b->middle, a->length - 1);
}

static uint32_t
hash_of_word (const omen_word *word)
{
  bool is_long = word->length > OMEN_WORD_SHORT + 1;
  return omen_word_hash (is_long ? word->first : word->first ^ word->middle,
                         word->last, word->length - 1);
}

static void
insert (omen_words *words, const omen_word *word)
{
  uint32_t i = hash_of_word (word) & words->mask;
  OMEN_ASSERT (word->length && words->count <= words->mask);
  while (words->slots[i].length)
    i = (i + 1) & words->mask;
  words->slots[i] = *word;
}

void
omen_words_put (omen_words *words, const omen_word *key, uint32_t id)
{
  omen_word word = *key;
  OMEN_REQUIRE (key->length && key->id == hash_of_word (key));
  OMEN_CHECK (!omen_words_find (words, key));
  if (words->count >= (words->mask + 1) / 2) {
    if (words->mask + 1 >= MOST_SLOTS)
      return;
    omen_words old = *words;
    make_slots (words, 2 * (old.mask + 1));
    for (uint32_t i = 0; i <= old.mask; i++)
      if (old.slots[i].length)
        insert (words, &old.slots[i]);
    omen_words_fini (&old);
  }
  word.id = id;
  insert (words, &word);
  words->count++;
  OMEN_CHECK (omen_words_find (words, key)->id == id);
}
