#include "spec/automaton.h"
#include "monitor/machine.h"

#include <string.h>

omen_automaton *
omen_automaton_new (uint32_t letters)
{
  omen_automaton *a = omen_zalloc (1, sizeof *a);
  OMEN_REQUIRE (letters);
  a->letters = letters;
  return a;
}

void
omen_automaton_free (omen_automaton *a)
{
  if (!a)
    return;
  OMEN_VEC_FINI (a->next);
  OMEN_VEC_FINI (a->verdicts);
  OMEN_VEC_FINI (a->names);
  omen_free (a);
}

uint32_t
omen_automaton_add (omen_automaton *a, uint32_t verdict)
{
  uint32_t state = omen_automaton_states (a);
  OMEN_VEC_PUSH (a->verdicts, verdict);
  for (uint32_t l = 0; l < a->letters; l++)
    OMEN_VEC_PUSH (a->next, state);
  OMEN_ASSERT (a->next.count == (size_t)(state + 1) * a->letters);
  return state;
}

static uint32_t
next_of (const omen_automaton *a, uint32_t state, uint32_t letter)
{
  OMEN_ASSERT (letter < a->letters && state < omen_automaton_states (a));
  return a->next.data[(size_t)state * a->letters + letter];
}

/* Every letter leads to a state. */
static bool
is_complete (const omen_automaton *a)
{
  uint32_t states = omen_automaton_states (a);
  for (size_t i = 0; i < a->next.count; i++)
    if (a->next.data[i] >= states)
      return false;
  return a->start < states && a->next.count == (size_t)states * a->letters;
}

/* ---- minimal form ---- */

/* The class of each state, refined until no letter distinguishes two states of
   a class. A class is named by its first state. */
typedef struct classes {
  const omen_automaton *a;
  uint32_t *of, *refined, *slots; /* slots: hash table of state + 1 */
  uint32_t mask, count;
} classes;

static uint64_t
signature (const classes *c, uint32_t s)
{
  uint64_t hash = omen_mix (7, c->of[s]);
  for (uint32_t l = 0; l < c->a->letters; l++)
    hash = omen_mix (hash, c->of[next_of (c->a, s, l)]);
  return hash;
}

static bool
alike (const classes *c, uint32_t s, uint32_t t)
{
  if (c->of[s] != c->of[t])
    return false;
  for (uint32_t l = 0; l < c->a->letters; l++)
    if (c->of[next_of (c->a, s, l)] != c->of[next_of (c->a, t, l)])
      return false;
  return true;
}

/* One round; the number of classes after it. */
static uint32_t
refine (classes *c)
{
  uint32_t states = omen_automaton_states (c->a), count = 0, *swap;
  memset (c->slots, 0, ((size_t)c->mask + 1) * sizeof *c->slots);
  for (uint32_t s = 0; s < states; s++) {
    uint32_t i = (uint32_t)signature (c, s) & c->mask;
    while (c->slots[i] && !alike (c, c->slots[i] - 1, s))
      i = (i + 1) & c->mask;
    if (!c->slots[i]) {
      c->slots[i] = s + 1;
      count++;
    }
    c->refined[s] = c->slots[i] - 1;
  }
  OMEN_ASSERT (count && count <= states);
  swap = c->of;
  c->of = c->refined;
  c->refined = swap;
  return count;
}

static void
classify (classes *c, const omen_automaton *a)
{
  uint32_t states = omen_automaton_states (a), before = 0, now;
  *c = (classes){ .a = a, .mask = 1 };
  while (c->mask < 2 * states)
    c->mask = 2 * c->mask + 1;
  c->of = omen_zalloc (states, sizeof *c->of);
  c->refined = omen_zalloc (states, sizeof *c->refined);
  c->slots = omen_zalloc ((size_t)c->mask + 1, sizeof *c->slots);
  for (uint32_t s = 0; s < states; s++)
    c->of[s] = a->verdicts.data[s];
  for (now = refine (c); now != before; now = refine (c)) {
    OMEN_ASSERT (now > before); /* classes are only ever divided */
    before = now;
  }
  c->count = now;
}

/* A state with the same transitions as the start, and with a loop: the start
   can be merged with it if the verdict before the first letter does not
   matter. */
static uint32_t
start_twin (const classes *c)
{
  const omen_automaton *a = c->a;
  uint32_t start = c->of[a->start];
  for (uint32_t s = 0; s < omen_automaton_states (a); s++) {
    bool same = c->of[s] == s && s != start, loops = false;
    for (uint32_t l = 0; same && l < a->letters; l++) {
      uint32_t to = c->of[next_of (a, s, l)];
      same = to == c->of[next_of (a, start, l)];
      loops |= to == s;
    }
    if (same && loops)
      return s;
  }
  return a->start;
}

/* The classes as an automaton, walked from the start. */
static void
rebuild (omen_automaton *a, const classes *c, uint32_t start)
{
  uint32_t states = omen_automaton_states (a);
  uint32_t *number = omen_alloc (states * sizeof *number);
  omen_ids order = { 0 };
  omen_automaton *b = omen_automaton_new (a->letters);
  memset (number, 0xff, states * sizeof *number);
  number[c->of[start]] = omen_automaton_add (b, a->verdicts.data[c->of[start]]);
  OMEN_VEC_PUSH (order, c->of[start]);
  for (uint32_t i = 0; i < order.count; i++)
    for (uint32_t l = 0; l < a->letters; l++) {
      uint32_t to = c->of[next_of (a, order.data[i], l)];
      if (number[to] == OMEN_NONE) {
        number[to] = omen_automaton_add (b, a->verdicts.data[to]);
        OMEN_VEC_PUSH (order, to);
      }
      *omen_automaton_next (b, i, l) = number[to];
    }
  if (a->names.count && order.count == states)
    for (uint32_t i = 0; i < order.count; i++)
      OMEN_VEC_PUSH (b->names, a->names.data[order.data[i]]);
  OMEN_ASSERT (order.count == omen_automaton_states (b));
  OMEN_VEC_FINI (order);
  omen_free (number);
  OMEN_VEC_FINI (a->next);
  OMEN_VEC_FINI (a->verdicts);
  OMEN_VEC_FINI (a->names);
  *a = *b;
  omen_free (b);
}

void
omen_automaton_minimise (omen_automaton *a, bool initial)
{
  classes c;
  OMEN_ASSERT (is_complete (a));
  classify (&c, a);
  rebuild (a, &c, initial ? start_twin (&c) : a->start);
  omen_free (c.of);
  omen_free (c.refined);
  omen_free (c.slots);
  OMEN_ASSERT (a->start == 0 && omen_automaton_states (a) <= c.count);
  OMEN_ASSERT (is_complete (a));
}

/* ---- suffixes ---- */

void
omen_automaton_hopeful (const omen_automaton *a, uint8_t *hopeful)
{
  uint32_t states = omen_automaton_states (a);
  bool changed = true;
  for (uint32_t s = 0; s < states; s++)
    hopeful[s] = a->verdicts.data[s] != 0;
  while (changed) {
    changed = false;
    for (uint32_t s = 0; s < states; s++)
      for (uint32_t l = 0; !hopeful[s] && l < a->letters; l++)
        if (hopeful[next_of (a, s, l)]) {
          hopeful[s] = 1;
          changed = true;
        }
  }
}

/* Sets of states as rows of bits, one a state of the result. */
typedef struct sets {
  const omen_automaton *a;
  omen_automaton *out;
  uint8_t *hopeful;
  uint32_t row; /* words */
  OMEN_VEC (uint64_t) bits;
} sets;

static bool
same_row (const sets *s, uint32_t a, uint32_t b)
{
  return !memcmp (&s->bits.data[(size_t)a * s->row],
                  &s->bits.data[(size_t)b * s->row],
                  s->row * sizeof (uint64_t));
}

/* The state for the set pushed last: an existing one if there is an equal
   set. */
static uint32_t
settle_set (sets *s)
{
  uint32_t last = (uint32_t)(s->bits.count / s->row) - 1, verdict = 0;
  OMEN_ASSERT (last <= omen_automaton_states (s->out));
  for (uint32_t i = 0; i < last; i++)
    if (same_row (s, i, last)) {
      s->bits.count -= s->row;
      return i;
    }
  for (uint32_t t = 0; t < omen_automaton_states (s->a); t++)
    if (s->bits.data[(size_t)last * s->row + t / 64] >> t % 64 & 1)
      verdict |= s->a->verdicts.data[t];
  return omen_automaton_add (s->out, verdict);
}

static void
push_empty (sets *s)
{
  for (uint32_t i = 0; i < s->row; i++)
    OMEN_VEC_PUSH (s->bits, (uint64_t)0);
}

static void
add_to_last_set (sets *s, uint32_t state)
{
  uint64_t *last = &s->bits.data[s->bits.count - s->row];
  OMEN_ASSERT (state < omen_automaton_states (s->a));
  if (s->hopeful[state])
    last[state / 64] |= (uint64_t)1 << state % 64;
}

static uint32_t
follow_letter (sets *s, uint32_t from, uint32_t letter)
{
  push_empty (s);
  add_to_last_set (s, next_of (s->a, s->a->start, letter));
  for (uint32_t t = 0; t < omen_automaton_states (s->a); t++)
    if (s->bits.data[(size_t)from * s->row + t / 64] >> t % 64 & 1)
      add_to_last_set (s, next_of (s->a, t, letter));
  return settle_set (s);
}

omen_automaton *
omen_automaton_suffix (const omen_automaton *a)
{
  uint32_t states = omen_automaton_states (a);
  sets s = { .a = a, .out = omen_automaton_new (a->letters) };
  s.row = (states + 63) / 64;
  s.hopeful = omen_zalloc (states, 1);
  omen_automaton_hopeful (a, s.hopeful);
  push_empty (&s);
  settle_set (&s);
  for (uint32_t i = 0;
       i < omen_automaton_states (s.out) && !omen_automaton_too_large (s.out);
       i++)
    for (uint32_t l = 0; l < a->letters; l++) {
      uint32_t to = follow_letter (&s, i, l);
      *omen_automaton_next (s.out, i, l) = to;
    }
  OMEN_VEC_FINI (s.bits);
  omen_free (s.hopeful);
  if (!omen_automaton_too_large (s.out))
    return s.out;
  omen_automaton_free (s.out);
  return NULL;
}
