/* The lattice of a trace: doc/semantics.md, "Cuts and runs".

   Events that do not count come between any two that do, so what is walked is
   not states but crowds: all states that some σ reaches which has the same
   events that count, in the same order. As many orders lead to a crowd as paths
   of those events. */
#include "base/map.h"
#include "enumerate.h"

#include <stdlib.h>
#include <string.h>

typedef struct crowd {
  uint32_t first, count; /* in states, ascending */
  uint64_t ways;
} crowd;

typedef struct level {
  OMEN_VEC (crowd) crowds;
  omen_ids states;  /* of all crowds, one after the other */
  omen_map by_hash; /* -> newest crowd of that hash */
  omen_ids older;   /* by crowd: the next of its hash, or OMEN_NONE */
} level;

typedef struct survey {
  const machine *machine;
  event_set counts;
  space seen;
  omen_ids gathering;           /* a crowd that is being made */
  OMEN_VEC (uint32_t) gathered; /* by state: in which crowd it was last put */
  uint32_t round;
} survey;

/* ---- what counts ---- */

static bool
is_step (const facts *f, unsigned e)
{
  const condition_wait *w
      = f->wait_of[e] == NOBODY ? NULL : &f->wait[f->wait_of[e]];
  if (w && w->back == e && w->needs)
    return true;
  switch (f->kind[e]) {
  case OMEN_ALLOC:
  case OMEN_FORK:
  case OMEN_JOIN:
  case OMEN_REQUEST:
  case OMEN_LOCK_FAIL:
  case OMEN_FENCE:
    return false;
  default:
    return omen_kind_class (f->kind[e]) != OMEN_CLASS_MARK;
  }
}

static bool
has_ended (const facts *f, unsigned t, unsigned e)
{
  for (unsigned j = 0; j < f->count; j++) {
    unsigned u = f->thread[j];
    if (f->kind[j] != OMEN_JOIN || facts_event (f, j)->object != t)
      continue;
    if (u == f->thread[e] ? f->rank[j] < f->rank[e] : has_ended (f, u, e))
      return true;
  }
  return false;
}

/* The only thread with events that nobody forks, or NOBODY. */
static unsigned
main_thread (const facts *f)
{
  unsigned found = NOBODY;
  event_set forked = 0;
  for (unsigned e = 0; e < f->count; e++)
    if (f->kind[e] == OMEN_FORK)
      forked |= ONE (facts_event (f, e)->object);
  for (unsigned t = 0; t < f->threads; t++)
    if (f->of_thread[t] && !HAS (forked, t)) {
      if (found != NOBODY)
        return NOBODY;
      found = t;
    }
  return found;
}

static bool
is_outside (const facts *f, unsigned e)
{
  bool forks = false, ended = true;
  if (f->thread[e] != main_thread (f))
    return false;
  for (unsigned i = 0; i < f->count; i++)
    if (f->thread[i] == f->thread[e] && f->rank[i] < f->rank[e])
      forks |= f->kind[i] == OMEN_FORK;
  for (unsigned t = 0; t < f->threads; t++)
    if (f->of_thread[t] && t != f->thread[e])
      ended &= has_ended (f, t, e);
  return !forks || ended;
}

static event_set
counting (const facts *f, event_set spoken)
{
  event_set counts = spoken & f->all;
  for (unsigned e = 0; e < f->count; e++)
    if (is_step (f, e) && !is_outside (f, e))
      counts |= ONE (e);
  return counts;
}

/* ---- crowds ---- */

static void
gather (survey *s, uint32_t member)
{
  while (s->gathered.count < s->seen.count)
    OMEN_VEC_PUSH (s->gathered, 0);
  if (s->gathered.data[member] == s->round)
    return;
  s->gathered.data[member] = s->round;
  OMEN_VEC_PUSH (s->gathering, member);
}

static void
state_at (const survey *s, uint32_t member, state *to)
{
  memcpy (to->word, space_at (&s->seen, member),
          s->machine->words * sizeof (uint64_t));
}

/* The state that e leads to, if it may go. */
static void
try_step (survey *s, const state *from, unsigned e)
{
  const machine *m = s->machine;
  state to;
  bool fresh;
  if (machine_follows (m, from, e) && machine_enabled (m, from, e)
      && machine_step (m, from, e, &to))
    gather (s, space_add (&s->seen, to.word, 0, e, &fresh));
}

/* And all that steps which do not count lead to. */
static void
fill_up (survey *s)
{
  for (size_t i = 0; i < s->gathering.count; i++) {
    state from;
    state_at (s, s->gathering.data[i], &from);
    for (unsigned t = 0; t < s->machine->facts->threads; t++) {
      unsigned e = machine_next (s->machine, &from, t);
      if (e != NOBODY && !HAS (s->counts, e))
        try_step (s, &from, e);
    }
  }
}

static int
compare_ids (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* What was gathered, as a crowd of the level. */
static void
settle (survey *s, level *to, uint64_t ways)
{
  uint32_t count = (uint32_t)s->gathering.count, *newest, i;
  uint64_t hash = count;
  crowd new = { (uint32_t)to->states.count, count, ways };
  qsort (s->gathering.data, count, sizeof (uint32_t), compare_ids);
  for (i = 0; i < count; i++)
    hash = (hash ^ s->gathering.data[i]) * 0x9e3779b97f4a7c15u;
  newest = omen_map_at (&to->by_hash, hash);
  for (i = *newest; i != OMEN_NONE; i = to->older.data[i]) {
    crowd *c = &to->crowds.data[i];
    if (c->count != count
        || memcmp (to->states.data + c->first, s->gathering.data,
                   count * sizeof (uint32_t)))
      continue;
    c->ways += ways;
    return;
  }
  OMEN_VEC_PUSH (to->older, *newest);
  *newest = (uint32_t)to->crowds.count;
  OMEN_VEC_PUSH (to->crowds, new);
  for (i = 0; i < count; i++)
    OMEN_VEC_PUSH (to->states, s->gathering.data[i]);
}

static void
begin (survey *s)
{
  OMEN_VEC_CLEAR (s->gathering);
  s->round++;
}

static void
advance (survey *s, const level *now, const crowd *c, level *next)
{
  const facts *f = s->machine->facts;
  for (unsigned e = 0; e < f->count; e++) {
    begin (s);
    for (uint32_t i = c->first; HAS (s->counts, e) && i < c->first + c->count;
         i++) {
      state from;
      state_at (s, now->states.data[i], &from);
      if (machine_next (s->machine, &from, f->thread[e]) == e)
        try_step (s, &from, e);
    }
    fill_up (s);
    if (s->gathering.count)
      settle (s, next, c->ways);
  }
}

/* ---- the shape ---- */

static int
compare_cuts (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void
measure_level (const survey *s, const level *now, oracle_shape *shape)
{
  uint64_t *cuts = omen_alloc (now->crowds.count * sizeof *cuts + 1);
  for (size_t i = 0; i < now->crowds.count; i++) {
    const crowd *c = &now->crowds.data[i];
    bool whole = false;
    for (uint32_t k = c->first; k < c->first + c->count; k++)
      whole |= space_at (&s->seen, now->states.data[k])[0]
               == s->machine->facts->all;
    cuts[i] = space_at (&s->seen, now->states.data[c->first])[0] & s->counts;
    shape->runs += whole ? c->ways : 0;
  }
  qsort (cuts, now->crowds.count, sizeof *cuts, compare_cuts);
  for (size_t i = 0; i < now->crowds.count; i++)
    shape->width[shape->levels] += !i || cuts[i] != cuts[i - 1];
  shape->cuts += shape->width[shape->levels++];
  omen_free (cuts);
}

static void
level_fini (level *l)
{
  OMEN_VEC_FINI (l->crowds);
  OMEN_VEC_FINI (l->states);
  OMEN_VEC_FINI (l->older);
  omen_map_fini (&l->by_hash);
}

void
survey_lattice (const machine *m, event_set spoken, oracle_shape *shape)
{
  survey s = { .machine = m, .counts = counting (m->facts, spoken) };
  level now = { 0 };
  state start;
  bool fresh;
  space_init (&s.seen, m->words);
  omen_map_init (&now.by_hash);
  machine_start (m, &start);
  begin (&s);
  gather (&s, space_add (&s.seen, start.word, OMEN_NONE, 0, &fresh));
  fill_up (&s);
  settle (&s, &now, 1);
  while (now.crowds.count) {
    level next = { 0 };
    omen_map_init (&next.by_hash);
    measure_level (&s, &now, shape);
    for (size_t i = 0; i < now.crowds.count; i++)
      advance (&s, &now, &now.crowds.data[i], &next);
    level_fini (&now);
    now = next;
  }
  level_fini (&now);
  space_fini (&s.seen);
  OMEN_VEC_FINI (s.gathering);
  OMEN_VEC_FINI (s.gathered);
}
