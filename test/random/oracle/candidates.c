#include "candidates.h"

static void
add (oracle_claims *claims, omen_claim_kind kind, unsigned word, unsigned count,
     const unsigned *events)
{
  oracle_claim claim = { kind, word, count, { 0 } };
  for (unsigned i = 0; i < count; i++)
    claim.events[i] = events[i] == NOBODY ? OMEN_NONE : events[i];
  OMEN_VEC_PUSH (*claims, claim);
}

static void
add_races (const facts *f, omen_claim_kind kind, oracle_claims *claims)
{
  for (unsigned a = 0; a < f->count; a++)
    for (unsigned b = 0; b < f->count; b++)
      if (facts_can_race (f, a, b) && (a < b || kind != OMEN_CLAIM_RACE))
        add (claims, kind, 0, 2, (unsigned[]){ a, b });
}

/* ---- deadlocks ---- */
static bool
is_request (const facts *f, unsigned e)
{
  if (f->kind[e] == OMEN_REQUEST)
    return f->next[e] == NOBODY && !HAS (f->irregular, f->lock[e]);
  return (f->action[e] == LOCK_TAKE || f->action[e] == LOCK_SHARE)
         && !(facts_event (f, e)->mode & OMEN_MODE_TRY);
}

/* Does the thread of request b hold, when it asks, what a wants? */
static bool
waits_for (const facts *f, unsigned a, unsigned b)
{
  unsigned before = f->previous[b];
  uint64_t held = 0;
  if (before != NOBODY)
    held = f->writes_held[before]
           | (f->action[a] == LOCK_TAKE ? f->reads_held[before] : 0);
  return f->thread[a] != f->thread[b] && HAS (held, f->lock[a]);
}

/* Cycles whose smallest event is the first. */
static void
extend_cycle (const facts *f, unsigned *cycle, unsigned count,
              oracle_claims *claims)
{
  if (count > 1 && waits_for (f, cycle[count - 1], cycle[0]))
    add (claims, OMEN_CLAIM_DEADLOCK, 0, count, cycle);
  for (unsigned e = cycle[0] + 1; count < ORACLE_CLAIM_EVENTS && e < f->count;
       e++) {
    bool new = is_request (f, e) && waits_for (f, cycle[count - 1], e);
    for (unsigned i = 0; i < count; i++)
      new = new && f->thread[cycle[i]] != f->thread[e];
    if (new) {
      cycle[count] = e;
      extend_cycle (f, cycle, count + 1, claims);
    }
  }
}

static void
add_deadlocks (const facts *f, oracle_claims *claims)
{
  unsigned cycle[ORACLE_CLAIM_EVENTS];
  for (unsigned e = 0; e < f->count; e++)
    if (is_request (f, e)) {
      cycle[0] = e;
      extend_cycle (f, cycle, 1, claims);
    }
}

/* ---- nondeterministic reads ---- */
static void
add_challenger (const facts *f, unsigned r, unsigned c, oracle_claims *claims)
{
  bool other = false;
  for (unsigned k = 0; k < f->atoms[r]; k++)
    if (f->glimpse[f->first_glimpse[r] + k].saw != c)
      other = true;
  for (unsigned word = 0; other && word < OMEN_NONDET_ORDERS; word++)
    add (claims, OMEN_CLAIM_NONDET, word, 2, (unsigned[]){ r, c });
}

static void
add_nondets (const facts *f, oracle_claims *claims)
{
  for (unsigned r = 0; r < f->count; r++) {
    if (!HAS (f->readers, r))
      continue;
    add_challenger (f, r, NOBODY, claims);
    for (unsigned c = 0; c < f->count; c++)
      if (c != r && HAS (f->writers & f->overlaps[r], c))
        add_challenger (f, r, c, claims);
  }
}

/* ---- atomicity ---- */
static void
add_with_blocks (const facts *f, const unsigned *e, oracle_claims *claims)
{
  for (unsigned b = 0; b < f->count; b++)
    if ((f->kind[b] == OMEN_BEGIN || f->kind[b] == OMEN_ENTER)
        && HAS (facts_block (f, b), e[3]) && HAS (facts_block (f, b), e[4]))
      add (claims, OMEN_CLAIM_ATOMICITY, 0, 6,
           (unsigned[]){ e[0], e[1], e[2], b, e[3], e[4] });
}

/* All e1' and e2' for block B with e1 and e2. */
static void
add_others (const facts *f, unsigned block, unsigned e1, unsigned e2,
            oracle_claims *claims)
{
  for (unsigned i = 0; i < f->count; i++)
    for (unsigned k = 0; facts_conflict (f, e1, i) && k < f->count; k++) {
      if (!facts_conflict (f, e2, k) || f->thread[i] != f->thread[k])
        continue;
      if (i == k)
        add (claims, OMEN_CLAIM_ATOMICITY, 0, 6,
             (unsigned[]){ block, e1, e2, NOBODY, i, i });
      else
        add_with_blocks (f, (unsigned[]){ block, e1, e2, i, k }, claims);
    }
}

static void
add_violations (const facts *f, oracle_claims *claims)
{
  for (unsigned b = 0; b < f->count; b++) {
    event_set inside;
    if (f->kind[b] != OMEN_BEGIN && f->kind[b] != OMEN_ENTER)
      continue;
    inside = facts_block (f, b) & f->accesses;
    for (unsigned e1 = 0; e1 < f->count; e1++)
      for (unsigned e2 = 0; HAS (inside, e1) && e2 < f->count; e2++)
        if (HAS (inside, e2) && e1 != e2 && f->rank[e1] < f->rank[e2])
          add_others (f, b, e1, e2, claims);
  }
}

void
candidates (const facts *f, omen_claim_kind kind, oracle_claims *claims)
{
  switch (kind) {
  case OMEN_CLAIM_RACE:
  case OMEN_CLAIM_RACE_ORDER:
    add_races (f, kind, claims);
    break;
  case OMEN_CLAIM_DEADLOCK:
    add_deadlocks (f, claims);
    break;
  case OMEN_CLAIM_NONDET:
    add_nondets (f, claims);
    break;
  case OMEN_CLAIM_ATOMICITY:
    add_violations (f, claims);
    break;
  case OMEN_CLAIM_FINAL:
    for (unsigned e = 0; e < f->count; e++)
      if (HAS (f->writers, e))
        add (claims, kind, 0, 1, &e);
    break;
  default:
    break;
  }
}

void
oracle_candidates (const omen_trace *trace, omen_claim_kind kind,
                   oracle_claims *claims)
{
  facts f;
  if (facts_read (&f, trace, NULL))
    candidates (&f, kind, claims);
}
