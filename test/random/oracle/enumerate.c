#include "enumerate.h"

#include <string.h>

/* What a state offers: the next event of each thread and whether it may go. */
typedef struct offer {
  uint8_t next[MOST_THREADS];
  bool goes[MOST_THREADS];    /* enabled, and the read before it preserved */
  bool blocked[MOST_THREADS]; /* a request that only its lock holds up */
} offer;

static void
look_around (const oracle *o, const state *s, offer *now)
{
  const machine *m = &o->machine;
  for (unsigned t = 0; t < o->facts.threads; t++) {
    unsigned e = machine_next (m, s, t);
    now->next[t] = (uint8_t)e;
    now->goes[t]
        = e != NOBODY && machine_follows (m, s, e) && machine_enabled (m, s, e);
    now->blocked[t] = e != NOBODY && is_blocked (m, s, e);
  }
}

/* ---- claims that a state shows ---- */
static void
find_races (oracle *o, const state *s, const offer *now)
{
  for (unsigned t = 0; t < o->facts.threads; t++)
    for (unsigned u = t + 1; now->goes[t] && u < o->facts.threads; u++) {
      unsigned a = now->next[t], b = now->next[u];
      if (!now->goes[u] || HAS (o->race[a], b)
          || !facts_can_race (&o->facts, a, b)
          || !machine_conflict (&o->machine, s, a, b)
          || !machine_together (&o->machine, s, ONE (a) | ONE (b))
          || !machine_sound (&o->machine, s, ONE (a) | ONE (b)))
        continue;
      o->race[a] |= ONE (b);
      o->race[b] |= ONE (a);
    }
}

/* Note the cycle of requests, rotated to start with the smallest. */
static void
note_cycle (oracle *o, const uint8_t *cycle, unsigned count)
{
  oracle_claim claim = { OMEN_CLAIM_DEADLOCK, 0, count, { 0 } };
  unsigned least = 0;
  for (unsigned i = 1; i < count; i++)
    if (cycle[i] < cycle[least])
      least = i;
  for (unsigned i = 0; i < count; i++)
    claim.events[i] = cycle[(least + i) % count];
  if (!oracle_deadlock (o, claim.events, count))
    OMEN_VEC_PUSH (o->claims, claim);
}

/* Extend the path of requests; each wants a lock of the next one's thread. */
static void
find_cycles (oracle *o, const state *s, const offer *now, uint8_t *path,
             unsigned count)
{
  const machine *m = &o->machine;
  unsigned last = path[count - 1], first = o->facts.thread[path[0]];
  if (count > 1 && wants_from (m, s, last, first)) {
    event_set claimed = 0;
    for (unsigned i = 0; i < count; i++)
      claimed |= ONE (path[i]);
    if (machine_together (m, s, claimed) && machine_sound (m, s, claimed))
      note_cycle (o, path, count);
  }
  for (unsigned t = first + 1;
       count < ORACLE_CLAIM_EVENTS && t < o->facts.threads; t++) {
    bool new = now->blocked[t] && wants_from (m, s, last, t);
    for (unsigned i = 0; i < count; i++)
      new = new && path[i] != now->next[t];
    if (new) {
      path[count] = now->next[t];
      find_cycles (o, s, now, path, count + 1);
    }
  }
}

static void
find_deadlocks (oracle *o, const state *s, const offer *now)
{
  uint8_t path[ORACLE_CLAIM_EVENTS];
  for (unsigned t = 0; t < o->facts.threads; t++)
    if (now->blocked[t]) {
      path[0] = now->next[t];
      find_cycles (o, s, now, path, 1);
    }
}

/* Step r, a read, leads from s to `to`: whom does it see? */
static void
find_challengers (oracle *o, const state *s, unsigned r, const state *to)
{
  const facts *f = &o->facts;
  for (unsigned k = 0; k < f->atoms[r]; k++) {
    const glimpse *g = &f->glimpse[f->first_glimpse[r] + k];
    unsigned c = machine_writer (&o->machine, s, g->atom);
    bool seen = g->saw == NOBODY || HAS (s->CUT, g->saw);
    uint8_t *orders = &o->nondet[r][c == NOBODY ? 0 : c + 1];
    if (shows_challenger (&o->machine, s, g)
        && machine_sound (&o->machine, to,
                          ONE (r) | (c == NOBODY ? 0 : ONE (c))))
      *orders |= (uint8_t)(1 << (seen ? OMEN_WCR : OMEN_CR));
  }
}

/* ---- the walk ---- */
typedef struct walk {
  space seen;
  batch *batch;
  OMEN_VEC (uint64_t) alive; /* by state: batch->words */
} walk;

static uint32_t
reach (walk *w, const state *s, uint32_t from, unsigned e)
{
  bool fresh;
  uint32_t at = space_add (&w->seen, s->word, from, e, &fresh);
  if (fresh) {
    for (unsigned i = 0; i < w->batch->words; i++)
      OMEN_VEC_PUSH (w->alive, 0);
  }
  return at;
}

static void
take_step (oracle *o, walk *w, uint32_t from, const state *s, unsigned e)
{
  const machine *m = &o->machine;
  unsigned words = w->batch->words;
  state to;
  uint32_t at;
  if (!machine_step (m, s, e, &to) || !machine_sound (m, &to, 0))
    return;
  at = reach (w, &to, from, e);
  if (words)
    batch_step (w->batch, m, s, e, &to, &w->alive.data[(size_t)from * words],
                &w->alive.data[(size_t)at * words]);
  if (o->request.claims & ORACLE_NONDET && HAS (o->facts.readers, e))
    find_challengers (o, s, e, &to);
}

static void
visit (oracle *o, walk *w, uint32_t at)
{
  offer now;
  state s;
  memcpy (s.word, space_at (&w->seen, at),
          o->machine.words * sizeof (uint64_t));
  look_around (o, &s, &now);
  if (o->request.claims & ORACLE_RACE)
    find_races (o, &s, &now);
  if (o->request.claims & ORACLE_DEADLOCK)
    find_deadlocks (o, &s, &now);
  for (unsigned t = 0; t < o->facts.threads; t++)
    if (now.goes[t])
      take_step (o, w, at, &s, now.next[t]);
}

void
enumerate (oracle *o, batch *b)
{
  walk w = { .batch = b };
  state s;
  space_init (&w.seen, o->machine.words);
  machine_start (&o->machine, &s);
  reach (&w, &s, OMEN_NONE, 0);
  for (unsigned i = 0; i < b->words; i++)
    w.alive.data[i] = UINT64_MAX;
  for (uint32_t i = 0; i < w.seen.count; i++)
    visit (o, &w, i);
  if (o->machine.model == OMEN_MODEL_LATTICE)
    survey_lattice (&o->machine, o->request.spoken, &o->shape);
  o->shape.states = w.seen.count;
  space_fini (&w.seen);
  OMEN_VEC_FINI (w.alive);
}
