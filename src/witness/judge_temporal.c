/* TRUSTED. ltl and ptltl, by the meaning of their operators at a position of a
   word. A past operator needs one bit from the position before. A future
   operator needs a promise about the next: `o a` that there is one and a holds
   there, `a U b` that there is one and a U b holds there. Given the promises,
   every part of the formula has a value at a position, so whether the formula
   holds at the first position is a function of the promises at the last one: a
   table. Which promises some continuation keeps is computed from the end of
   words backwards, where none is kept. The formula is violated if it holds for
   none of these, and validated if it holds for all. */
#include "witness/judge_logic.h"

#include <string.h>

enum { PROMISES_MAX = 10, PASTS_MAX = 4096, STATES_MAX = 20000 };

/* States: the first are these; the others are a past and a table. */
enum { FRESH, VIOLATED, VALIDATED, SILENT, OTHERS };

typedef struct running {
  uint64_t past;
  size_t table; /* its first word, in tables */
} running;

typedef struct temporal {
  bool future;     /* ltl */
  uint8_t *values; /* by node */
  uint8_t *bit;    /* by node: bit of a past operator, or of a promise */
  uint32_t promises, bits;
  size_t words; /* of a table */
  uint32_t letters;
  OMEN_VEC (running) states;
  OMEN_VEC (uint64_t) tables;
  omen_ids next; /* by state and letter; OMEN_NONE: not computed yet */
  OMEN_VEC (uint64_t) pasts;
  omen_map past_number;
  OMEN_VEC (uint64_t) kept; /* by past: a table of promises that can be kept */
  bool kept_known;
} temporal;

/* ---- one place ---- */

static bool
value_at (const omen_judging *j, const omen_written_node *n, uint32_t i,
          uint64_t past, uint32_t promises, uint32_t letter)
{
  const temporal *t = j->own;
  const uint8_t *v = t->values;
  bool before = past >> t->bit[i] & 1, promised = promises >> t->bit[i] & 1;
  switch (n->kind) {
  case OMEN_W_TRUE:
    return true;
  case OMEN_W_EVENT:
    return letter % j->events == n->a;
  case OMEN_W_PREDICATE:
    return letter / j->events >> n->a & 1;
  case OMEN_W_NOT:
    return !v[n->a];
  case OMEN_W_AND:
    return v[n->a] && v[n->b];
  case OMEN_W_OR:
    return v[n->a] || v[n->b];
  case OMEN_W_XOR:
    return v[n->a] != v[n->b];
  case OMEN_W_NEXT:
    return promised;
  case OMEN_W_UNTIL:
    return v[n->b] || (v[n->a] && promised);
  case OMEN_W_PREVIOUS:
    return before;
  case OMEN_W_ONCE:
    return v[n->a] || before;
  case OMEN_W_SINCE:
    return v[n->b] || (v[n->a] && before);
  default:
    OMEN_ASSERT (n->kind == OMEN_W_INTERVAL);
    return !v[n->b] && (v[n->a] || before);
  }
}

typedef struct place {
  uint64_t past;     /* for the next place */
  uint32_t promises; /* that are kept if this place comes next */
  bool holds;        /* the whole formula */
} place;

static place
place_in_word (omen_judging *j, uint64_t past, uint32_t promises,
               uint32_t letter)
{
  temporal *t = j->own;
  place p = { 0 };
  omen_judging_works (j, j->written->count);
  for (uint32_t i = 0; i < j->written->count; i++) {
    const omen_written_node *n = &j->written->nodes[i];
    t->values[i] = value_at (j, n, i, past, promises, letter);
    if (n->kind == OMEN_W_PREVIOUS || n->kind == OMEN_W_NEXT ? t->values[n->a]
                                                             : t->values[i]) {
      if (n->kind >= OMEN_W_PREVIOUS && n->kind <= OMEN_W_INTERVAL)
        p.past |= (uint64_t)1 << t->bit[i];
      if (n->kind == OMEN_W_NEXT || n->kind == OMEN_W_UNTIL)
        p.promises |= 1u << t->bit[i];
    }
  }
  p.holds = t->values[j->written->count - 1];
  return p;
}

/* ---- promises that can be kept ---- */

static uint32_t
past_number (omen_judging *j, uint64_t past)
{
  temporal *t = j->own;
  uint32_t *slot = omen_map_at (&t->past_number, past);
  if (*slot != OMEN_NONE)
    return *slot;
  if (t->pasts.count == PASTS_MAX && !j->beyond)
    j->beyond = "the formula has too many pasts";
  if (j->beyond)
    return *slot = 0;
  *slot = (uint32_t)t->pasts.count;
  OMEN_VEC_PUSH (t->pasts, past);
  for (size_t w = 0; w < t->words; w++)
    OMEN_VEC_PUSH (t->kept, (uint64_t)(w == 0)); /* the end keeps none */
  return (uint32_t)t->pasts.count - 1;
}

static bool
has_promises (const uint64_t *table, uint32_t promises)
{
  return table[promises / 64] >> promises % 64 & 1;
}

/* Add what continuations from `p` that begin with the letter keep; true if that
   is more than before. */
static bool
keep_by (omen_judging *j, uint32_t p, uint32_t letter)
{
  temporal *t = j->own;
  uint64_t past = t->pasts.data[p];
  uint32_t to = past_number (j, place_in_word (j, past, 0, letter).past);
  bool news = false;
  for (uint32_t n = 0; n < 1u << t->promises && !j->beyond; n++) {
    uint32_t kept;
    uint64_t *word;
    if (!has_promises (&t->kept.data[to * t->words], n))
      continue;
    kept = place_in_word (j, past, n, letter).promises;
    word = &t->kept.data[p * t->words + kept / 64];
    news |= !(*word >> kept % 64 & 1);
    *word |= (uint64_t)1 << kept % 64;
  }
  return news;
}

static void
find_kept (omen_judging *j)
{
  temporal *t = j->own;
  bool changed = !t->kept_known;
  t->kept_known = true;
  past_number (j, 0);
  while (changed && !j->beyond) {
    changed = false;
    for (uint32_t p = 0; p < t->pasts.count && !j->beyond; p++)
      for (uint32_t l = 0; l < t->letters && !j->beyond; l++)
        changed |= keep_by (j, p, l);
  }
}

/* ---- states ---- */

static uint32_t
temporal_state (omen_judging *j, uint64_t past, const uint64_t *table)
{
  temporal *t = j->own;
  running added = { past, t->tables.count };
  for (uint32_t s = OTHERS; s < t->states.count; s++)
    if (t->states.data[s].past == past
        && !memcmp (&t->tables.data[t->states.data[s].table], table,
                    t->words * sizeof *table))
      return s;
  omen_judging_works (j, t->states.count);
  if (t->states.count == STATES_MAX && !j->beyond)
    j->beyond = "the formula has too many states";
  if (j->beyond)
    return SILENT;
  for (size_t w = 0; w < t->words; w++)
    OMEN_VEC_PUSH (t->tables, table[w]);
  for (uint32_t l = 0; l < t->letters; l++)
    OMEN_VEC_PUSH (t->next, OMEN_NONE);
  OMEN_VEC_PUSH (t->states, added);
  return (uint32_t)t->states.count - 1;
}

/* ltl: has it been decided? */
static uint32_t
decided (omen_judging *j, uint64_t past, const uint64_t *table)
{
  temporal *t = j->own;
  const uint64_t *kept;
  bool some = false, all = true;
  find_kept (j);
  kept = &t->kept.data[past_number (j, past) * t->words];
  for (uint32_t n = 0; n < 1u << t->promises; n++)
    if (has_promises (kept, n)) {
      some |= has_promises (table, n);
      all &= has_promises (table, n);
    }
  return !some ? VIOLATED : all ? VALIDATED : OTHERS;
}

static uint32_t
follow_letter (omen_judging *j, uint32_t s, uint32_t letter)
{
  temporal *t = j->own;
  uint64_t table[(1 << PROMISES_MAX) / 64] = { 0 };
  uint64_t past = s == FRESH ? 0 : t->states.data[s].past;
  uint64_t next = place_in_word (j, past, 0, letter).past;
  uint32_t to;
  if (s >= VIOLATED && s <= SILENT)
    return SILENT;
  for (uint32_t n = 0; n < 1u << t->promises && !j->beyond; n++) {
    place p = place_in_word (j, past, n, letter);
    bool holds = t->future && s != FRESH
                     ? has_promises (&t->tables.data[t->states.data[s].table],
                                     p.promises)
                     : p.holds;
    table[n / 64] |= (uint64_t)holds << n % 64;
  }
  to = t->future && !j->beyond ? decided (j, next, table) : (uint32_t)OTHERS;
  return to == OTHERS ? temporal_state (j, next, table) : to;
}

static uint32_t
step_temporal (omen_judging *j, uint32_t s, uint32_t letter)
{
  temporal *t = j->own;
  size_t slot = (size_t)s * t->letters + letter;
  uint32_t to = t->next.data[slot];
  if (to != OMEN_NONE || !omen_judging_works (j, 1))
    return j->beyond ? (uint32_t)SILENT : to;
  to = follow_letter (j, s, letter);
  t->next.data[slot] = to;
  return to;
}

/* Bit 0: violation, bit 1: validation. Of ptltl: the value at the last place,
   for which there are no promises. */
static uint32_t
state_verdict (omen_judging *j, uint32_t s)
{
  const temporal *t = j->own;
  if (s < OTHERS)
    return s == VIOLATED ? 1 : s == VALIDATED ? 2 : 0;
  if (t->future)
    return 0;
  return has_promises (&t->tables.data[t->states.data[s].table], 0) ? 2 : 1;
}

static uint32_t
reported (omen_judging *j, uint32_t s)
{
  return state_verdict (j, s)
         & (omen_judging_has_goal (j, "violation")
            | omen_judging_has_goal (j, "validation") << 1);
}

/* ---- life ---- */

static void
begin_temporal (omen_judging *j, bool future)
{
  temporal *t = omen_zalloc (1, sizeof *t);
  running none = { 0 };
  j->own = t;
  t->future = future;
  t->letters = j->events << j->predicates;
  t->values = omen_zalloc (j->written->count + 1, 1);
  t->bit = omen_zalloc (j->written->count + 1, 1);
  omen_map_init (&t->past_number);
  for (uint32_t i = 0; i < j->written->count; i++) {
    omen_written_kind kind = j->written->nodes[i].kind;
    if (kind == OMEN_W_NEXT || kind == OMEN_W_UNTIL)
      t->bit[i] = (uint8_t)t->promises++;
    else if (kind >= OMEN_W_PREVIOUS && kind <= OMEN_W_INTERVAL)
      t->bit[i] = (uint8_t)t->bits++;
  }
  if (t->promises > PROMISES_MAX || t->bits > 63)
    j->beyond = "the formula has too many temporal operators";
  else
    t->words = ((1u << t->promises) + 63) / 64;
  for (uint32_t s = 0; s < OTHERS; s++) {
    OMEN_VEC_PUSH (t->states, none);
    for (uint32_t l = 0; l < t->letters; l++)
      OMEN_VEC_PUSH (t->next, OMEN_NONE);
  }
}

static void
begin_ltl (omen_judging *j)
{
  begin_temporal (j, true);
}

static void
begin_ptltl (omen_judging *j)
{
  begin_temporal (j, false);
}

static void
end_temporal (omen_judging *j)
{
  temporal *t = j->own;
  omen_free (t->values);
  omen_free (t->bit);
  OMEN_VEC_FINI (t->states);
  OMEN_VEC_FINI (t->tables);
  OMEN_VEC_FINI (t->next);
  OMEN_VEC_FINI (t->pasts);
  OMEN_VEC_FINI (t->kept);
  omen_map_fini (&t->past_number);
  omen_free (t);
}

/* ---- answers ---- */

static void
add_once (omen_ids *states, uint32_t s)
{
  for (size_t i = 0; i < states->count; i++)
    if (states->data[i] == s)
      return;
  OMEN_VEC_PUSH (*states, s);
}

/* The states that the letter may lead to, for all values of unknown
   predicates. */
static void
follow_all (omen_judging *j, const omen_ids *from, const omen_letter *letter,
            omen_ids *to)
{
  OMEN_VEC_CLEAR (*to);
  for (size_t i = 0; i < from->count && !j->beyond; i++)
    for (uint32_t holds = 0; holds < 1u << j->predicates; holds++)
      if ((holds & ~letter->unknown) == (letter->predicates & ~letter->unknown))
        add_once (to, step_temporal (j, from->data[i],
                                     letter->event + j->events * holds));
}

static bool
starts_anew (const omen_judging *j, const char *category)
{
  for (uint32_t c = 0; c < j->formula->categories; c++)
    if (!strcmp (j->formula->category[c], category))
      return j->formula->resets >> c & 1;
  return false;
}

/* Do all states that the word may lead to have the verdict? */
static bool
temporal_lands (omen_judging *j, const omen_letter *word, size_t count,
                const char *category)
{
  uint32_t wanted = strcmp (category, "violation") ? 2 : 1;
  omen_ids now = { 0 }, next = { 0 };
  bool some = false, all = true;
  OMEN_VEC_PUSH (now, (uint32_t)FRESH);
  for (size_t i = 0; i < count && !j->beyond; i++) {
    omen_ids before = now;
    follow_all (j, &before, &word[i], &next);
    now = next;
    next = before;
  }
  for (size_t i = 0; i < now.count; i++) {
    some |= state_verdict (j, now.data[i]) == wanted;
    all &= state_verdict (j, now.data[i]) == wanted;
  }
  if (some && !all && starts_anew (j, category) && !j->beyond)
    j->beyond = "a value that is not known decides whether the formula starts "
                "anew";
  OMEN_VEC_FINI (now);
  OMEN_VEC_FINI (next);
  return all;
}

/* Events that make a difference when they come first: by a verdict at once, or
   by one after some further word. */
static uint64_t
temporal_creation (omen_judging *j)
{
  const temporal *t = j->own;
  omen_judging_automaton a = { j, t->letters, step_temporal, reported };
  uint64_t set = 0;
  for (uint32_t l = 0; l < t->letters && !j->beyond; l++) {
    uint32_t to = step_temporal (j, FRESH, l);
    if (reported (j, to) || omen_judging_differ (&a, FRESH, to))
      set |= (uint64_t)1 << l % j->events;
  }
  return set;
}

const omen_judging_logic omen_judging_ltl
    = { "ltl", begin_ltl, end_temporal, temporal_lands, temporal_creation };
const omen_judging_logic omen_judging_ptltl
    = { "ptltl", begin_ptltl, end_temporal, temporal_lands, temporal_creation };
