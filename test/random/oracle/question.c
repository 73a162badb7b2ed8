#include "question.h"

#include <string.h>

/* ---- reading a claim ---- */
static void
claim_events (question *q, const oracle_claim *claim)
{
  q->count = claim->count;
  for (unsigned i = 0; i < claim->count; i++) {
    q->events[i] = (uint8_t)claim->events[i]; /* OMEN_NONE: NOBODY */
    if (claim->events[i] != OMEN_NONE)
      q->claimed |= ONE (claim->events[i]);
  }
}

static void
must_precede (question *q, unsigned before, unsigned after)
{
  q->before[q->pairs] = (uint8_t)before;
  q->after[q->pairs++] = (uint8_t)after;
  q->all |= ONE (before) | ONE (after);
}

static bool
init_race (question *q, const facts *f)
{
  return q->count == 2 && facts_can_race (f, q->events[0], q->events[1]);
}

static bool
init_pattern (question *q)
{
  q->all = q->claimed;
  for (unsigned i = 0; i + 1 < q->count; i++)
    must_precede (q, q->events[i], q->events[i + 1]);
  return q->count > 0
         && (unsigned)__builtin_popcountll (q->claimed) == q->count;
}

static bool
init_nondet (question *q, const facts *f, unsigned part)
{
  unsigned r = q->events[0];
  q->challenger = q->events[1];
  if (q->count != 2 || !HAS (f->readers, r) || part >= f->atoms[r]
      || q->word >= OMEN_NONDET_ORDERS || r == q->challenger)
    return false;
  q->glimpse = &f->glimpse[f->first_glimpse[r] + part];
  q->all = ONE (r);
  if (q->word != OMEN_WCR && q->glimpse->saw == NOBODY)
    return false;
  if (q->word == OMEN_CRW)
    q->all |= ONE (q->glimpse->saw);
  return q->challenger != q->glimpse->saw;
}

/* begin or enter b, with e and g in its instance. */
static bool
in_block (const facts *f, unsigned b, unsigned e, unsigned g)
{
  return (f->kind[b] == OMEN_BEGIN || f->kind[b] == OMEN_ENTER) && e != g
         && HAS (facts_block (f, b), e) && HAS (facts_block (f, b), g);
}

/* Part 0: e2' is between e1 and e2; part 1: e1' is (if it comes before e2', so
   is e2'). */
static bool
init_atomicity (question *q, const facts *f, unsigned part)
{
  const uint8_t *e = q->events; /* B e1 e2 B' e1' e2' */
  if (q->count != 6 || part > 1 || !in_block (f, e[0], e[1], e[2]))
    return false;
  if (e[3] == NOBODY ? e[4] != e[5] : !in_block (f, e[3], e[4], e[5]))
    return false;
  must_precede (q, e[1], e[2]);
  must_precede (q, e[1], e[4]);
  must_precede (q, e[5], e[2]);
  if (part && f->rank[e[4]] <= f->rank[e[5]])
    return false;
  if (part)
    must_precede (q, e[4], e[2]);
  else
    must_precede (q, e[1], e[5]);
  return f->rank[e[1]] < f->rank[e[2]] && facts_conflict (f, e[1], e[4])
         && facts_conflict (f, e[5], e[2]);
}

static bool
init_deadlock (question *q, const facts *f)
{
  event_set threads = 0;
  for (unsigned i = 0; i < q->count; i++)
    threads |= ONE (f->thread[q->events[i]]);
  return q->count >= 2 && (unsigned)__builtin_popcountll (threads) == q->count;
}

bool
question_init (question *q, const facts *f, const oracle_claim *claim,
               unsigned part)
{
  memset (q, 0, sizeof *q);
  if (claim->count > ORACLE_CLAIM_EVENTS)
    return false;
  for (unsigned i = 0; i < claim->count; i++)
    if (claim->events[i] >= f->count && claim->events[i] != OMEN_NONE)
      return false;
    else if (claim->events[i] == OMEN_NONE
             && !(claim->kind == OMEN_CLAIM_NONDET && i == 1)
             && !(claim->kind == OMEN_CLAIM_ATOMICITY && i == 3))
      return false;
  q->kind = claim->kind;
  q->word = claim->word;
  claim_events (q, claim);
  if (part && claim->kind != OMEN_CLAIM_NONDET
      && claim->kind != OMEN_CLAIM_ATOMICITY)
    return false;
  switch (claim->kind) {
  case OMEN_CLAIM_RACE:
    return init_race (q, f);
  case OMEN_CLAIM_DEADLOCK:
    return init_deadlock (q, f);
  case OMEN_CLAIM_NONDET:
    return init_nondet (q, f, part);
  case OMEN_CLAIM_ATOMICITY:
    return init_atomicity (q, f, part);
  case OMEN_CLAIM_PATTERN:
    return init_pattern (q);
  default:
    return false;
  }
}

/* ---- what a state shows ---- */
static bool
is_next (const machine *m, const state *s, unsigned e)
{
  return machine_next (m, s, m->facts->thread[e]) == e;
}

bool
shows_race (const machine *m, const state *s, unsigned a, unsigned b)
{
  return is_next (m, s, a) && is_next (m, s, b) && machine_follows (m, s, a)
         && machine_follows (m, s, b) && machine_enabled (m, s, a)
         && machine_enabled (m, s, b) && machine_conflict (m, s, a, b)
         && machine_together (m, s, ONE (a) | ONE (b))
         && machine_sound (m, s, ONE (a) | ONE (b));
}

/* req as the last event of its thread stands for an acquire. */
static bool
is_pending_request (const facts *f, unsigned a)
{
  return f->kind[a] == OMEN_REQUEST && f->next[a] == NOBODY
         && !HAS (f->irregular, f->lock[a]);
}

bool
is_blocked (const machine *m, const state *s, unsigned a)
{
  const facts *f = m->facts;
  bool takes = f->action[a] == LOCK_TAKE || f->action[a] == LOCK_SHARE;
  if (!is_pending_request (f, a)
      && (!takes || facts_event (f, a)->mode & OMEN_MODE_TRY))
    return false;
  return machine_follows (m, s, a) && machine_enabled_but_lock (m, s, a);
}

bool
wants_from (const machine *m, const state *s, unsigned a, unsigned t)
{
  const facts *f = m->facts;
  uint64_t held = machine_holds_write (m, s, t);
  if (f->thread[a] == t)
    return false;
  if (f->action[a] == LOCK_TAKE)
    held |= machine_holds_read (m, s, t);
  return HAS (held, f->lock[a]);
}

static bool
shows_deadlock (const machine *m, const state *s, const question *q)
{
  for (unsigned i = 0; i < q->count; i++) {
    unsigned a = q->events[i], after = q->events[(i + 1) % q->count];
    if (!is_next (m, s, a) || !is_blocked (m, s, a)
        || !wants_from (m, s, a, m->facts->thread[after]))
      return false;
  }
  return machine_together (m, s, q->claimed)
         && machine_sound (m, s, q->claimed);
}

bool
shows_challenger (const machine *m, const state *s, const glimpse *g)
{
  unsigned writer = machine_writer (m, s, g->atom);
  if (writer == g->saw || (writer != NOBODY && !machine_writes (m, s, writer)))
    return false;
  return m->model == OMEN_MODEL_RF || m->model == OMEN_MODEL_LATTICE
         || !machine_preserves (m, s, g);
}

/* ---- steps ---- */
/* May the claimed read be taken now? The writer that it saw in the trace is
   before it, or will be after it, or is to stay out. */
static bool
may_challenge (const question *q, const machine *m, const state *s)
{
  const glimpse *g = q->glimpse;
  bool seen = g->saw == NOBODY || HAS (s->CUT, g->saw);
  return shows_challenger (m, s, g)
         && machine_writer (m, s, g->atom) == q->challenger
         && seen == (q->word == OMEN_WCR);
}

bool
question_allows (const question *q, const machine *m, const state *s,
                 unsigned e)
{
  const facts *f = m->facts;
  for (unsigned i = 0; i < q->pairs; i++)
    if (q->after[i] == e && !HAS (s->CUT, q->before[i]))
      return false;
  if (q->kind != OMEN_CLAIM_NONDET || f->thread[e] != f->thread[q->events[0]])
    return true;
  return e == q->events[0] ? may_challenge (q, m, s)
                           : !HAS (s->CUT, q->events[0]);
}

bool
question_shown (const question *q, const machine *m, const state *s)
{
  switch (q->kind) {
  case OMEN_CLAIM_RACE:
    return shows_race (m, s, q->events[0], q->events[1]);
  case OMEN_CLAIM_DEADLOCK:
    return shows_deadlock (m, s, q);
  case OMEN_CLAIM_ATOMICITY:
    return !(q->all & ~s->CUT) && machine_sound (m, s, q->claimed)
           && machine_conflict (m, s, q->events[1], q->events[4])
           && machine_conflict (m, s, q->events[5], q->events[2]);
  case OMEN_CLAIM_NONDET:
    if (q->word == OMEN_CR && HAS (s->CUT, q->glimpse->saw))
      return false;
    /* fall through */
  default:
    return !(q->all & ~s->CUT) && machine_sound (m, s, q->claimed);
  }
}
