#include "words.h"
#include "enumerate.h"

#include <string.h>

/* A word in 64 bits: six for each letter, the first one lowest, and above them
   a 1 that says where it ends. */
#define BITS 6

/* In the word after it: bit i for a letter i that came right after the one
   before it, and this one: the last event was a letter. */
#define JUST_NOW (1ull << 63)

typedef struct reader {
  const oracle *o;
  event_set letters, loose;
  bool neighbours;
  space seen;  /* machine state, the word, what was close */
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
tell (reader *r, uint64_t word, uint64_t close)
{
  omen_eid events[ORACLE_LETTERS];
  uint64_t both[] = { word, close & ~JUST_NOW };
  unsigned length = 0;
  bool fresh;
  space_add (&r->words, both, OMEN_NONE, 0, &fresh);
  for (; word > 1; word >>= BITS)
    events[length++] = word & ((1 << BITS) - 1);
  if (fresh)
    r->see (r->context, events, length, close & ~JUST_NOW);
}

static uint64_t
closeness (const reader *r, uint64_t word, uint64_t close, bool letter)
{
  unsigned length = (63 - (unsigned)__builtin_clzll (word)) / BITS;
  if (!r->neighbours)
    return 0;
  if (!letter)
    return close & ~JUST_NOW;
  return (close & JUST_NOW ? close | 1ull << length : close) | JUST_NOW;
}

static void
step (reader *r, const state *s, const uint64_t *so_far, unsigned e)
{
  const machine *m = &r->o->machine;
  uint64_t member[MOST_WORDS + 2];
  bool letter = HAS (r->letters, e), fresh;
  state to;
  if (!machine_follows (m, s, e) || !machine_enabled (m, s, e)
      || !machine_step (m, s, e, &to) || to.BROKEN & r->letters & ~r->loose
      || !machine_sound (m, &to, r->letters & to.CUT))
    return;
  memcpy (member, to.word, m->words * sizeof *member);
  member[m->words] = letter ? longer (so_far[0], e) : so_far[0];
  member[m->words + 1] = closeness (r, so_far[0], so_far[1], letter);
  space_add (&r->seen, member, OMEN_NONE, 0, &fresh);
  if (fresh && letter)
    tell (r, member[m->words], member[m->words + 1]);
}

bool
oracle_words (const oracle *o, const bool *letters, const bool *loose,
              bool neighbours, uint32_t most, oracle_see_word see,
              void *context)
{
  reader r
      = { .o = o, .neighbours = neighbours, .see = see, .context = context };
  const machine *m = &o->machine;
  uint64_t member[MOST_WORDS + 2];
  state s;
  bool fresh, all;
  for (unsigned e = 0; e < o->facts.count; e++) {
    if (letters[e])
      r.letters |= ONE (e);
    if (loose[e])
      r.loose |= ONE (e);
  }
  if (__builtin_popcountll (r.letters) > ORACLE_LETTERS)
    return false;
  space_init (&r.seen, m->words + 2);
  space_init (&r.words, 2);
  machine_start (m, &s);
  memcpy (member, s.word, m->words * sizeof *member);
  member[m->words] = 1;
  member[m->words + 1] = 0;
  space_add (&r.seen, member, OMEN_NONE, 0, &fresh);
  for (uint32_t i = 0; i < r.seen.count && r.seen.count <= most; i++) {
    uint64_t so_far[2];
    memcpy (so_far, space_at (&r.seen, i) + m->words, sizeof so_far);
    memcpy (s.word, space_at (&r.seen, i), m->words * sizeof *s.word);
    for (unsigned t = 0; t < o->facts.threads; t++) {
      unsigned e = machine_next (m, &s, t);
      if (e != NOBODY)
        step (&r, &s, so_far, e);
    }
  }
  all = r.seen.count <= most;
  space_fini (&r.seen);
  space_fini (&r.words);
  return all;
}
