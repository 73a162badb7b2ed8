#include "words.h"
#include "enumerate.h"

#include <string.h>

/* A word in 64 bits: six for each letter, the first one lowest, and above them
   a 1 that says where it ends. */
#define BITS 6

typedef struct reader {
  const oracle *o;
  event_set letters;
  space seen;  /* machine state, then the word */
  space words; /* those told */
  oracle_see_word see;
  void *context;
} reader;

static uint64_t
longer (uint64_t word, unsigned e)
{
  unsigned end = 63 - (unsigned)__builtin_clzll (word);
  return (word ^ 1ull << end) | (uint64_t)e << end | 1ull << (end + BITS);
}

static void
tell (reader *r, uint64_t word)
{
  omen_eid events[ORACLE_LETTERS];
  unsigned length = 0;
  bool fresh;
  space_add (&r->words, &word, OMEN_NONE, 0, &fresh);
  for (; word > 1; word >>= BITS)
    events[length++] = word & ((1 << BITS) - 1);
  if (fresh)
    r->see (r->context, events, length);
}

static void
step (reader *r, const state *s, uint64_t word, unsigned e)
{
  const machine *m = &r->o->machine;
  uint64_t member[MOST_WORDS + 1];
  bool letter = HAS (r->letters, e), fresh;
  state to;
  if (!machine_follows (m, s, e) || !machine_enabled (m, s, e)
      || !machine_step (m, s, e, &to) || to.BROKEN & r->letters
      || !machine_sound (m, &to, r->letters & to.CUT))
    return;
  memcpy (member, to.word, m->words * sizeof *member);
  member[m->words] = letter ? longer (word, e) : word;
  space_add (&r->seen, member, OMEN_NONE, 0, &fresh);
  if (fresh && letter)
    tell (r, member[m->words]);
}

bool
oracle_words (const oracle *o, const bool *letters, uint32_t most,
              oracle_see_word see, void *context)
{
  reader r = { .o = o, .see = see, .context = context };
  const machine *m = &o->machine;
  uint64_t member[MOST_WORDS + 1];
  state s;
  bool fresh, all;
  for (unsigned e = 0; e < o->facts.count; e++)
    if (letters[e])
      r.letters |= ONE (e);
  if (__builtin_popcountll (r.letters) > ORACLE_LETTERS)
    return false;
  space_init (&r.seen, m->words + 1);
  space_init (&r.words, 1);
  machine_start (m, &s);
  memcpy (member, s.word, m->words * sizeof *member);
  member[m->words] = 1;
  space_add (&r.seen, member, OMEN_NONE, 0, &fresh);
  for (uint32_t i = 0; i < r.seen.count && r.seen.count <= most; i++) {
    uint64_t word = space_at (&r.seen, i)[m->words];
    memcpy (s.word, space_at (&r.seen, i), m->words * sizeof *s.word);
    for (unsigned t = 0; t < o->facts.threads; t++) {
      unsigned e = machine_next (m, &s, t);
      if (e != NOBODY)
        step (&r, &s, word, e);
    }
  }
  all = r.seen.count <= most;
  space_fini (&r.seen);
  space_fini (&r.words);
  return all;
}
