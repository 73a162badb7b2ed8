/* Answers queries from the states. */
#include "solve/space_state.h"

/* ---- questions ---- */

/* Are the states in which the node is next among those stored? */
static bool
can_be_next (const omen_space *s, omen_node n)
{
  return !s->eager[n] && s->p->need_of[n] == OMEN_NONE
         && s->p->count_of[n] == OMEN_NONE;
}

static uint32_t
access_of (const omen_problem *p, omen_node n, uint32_t atom)
{
  uint32_t k = p->access_first[n];
  while (p->accesses.data[k].atom != atom)
    OMEN_REQUIRE (++k < p->access_first[n + 1]);
  return k;
}

/* Did the read see this write? */
static bool
saw (const omen_problem *p, const omen_rf_constraint *rf, omen_node w)
{
  uint32_t k = p->saw_access[access_of (p, rf->read, rf->atom)];
  return k != OMEN_PAST && p->accesses.data[k].node == w;
}

static bool
can_see (const omen_space *s, const omen_query *q)
{
  const omen_rf_constraint *rf = q->rf;
  omen_node w = q->withouts ? q->without[0]
                : q->orders ? q->order[0].from
                            : OMEN_NONE;
  if (q->rf_count != 1 || q->lasts != 1 || q->last[0] != rf->read
      || q->withouts + q->orders > 1
      || (q->orders && q->order[0].to != rf->writer))
    return false;
  return can_be_next (s, rf->read) && !omen_node_writes (s->p, rf->read)
         && (rf->writer == OMEN_PAST || !omen_node_reads (s->p, rf->writer))
         && (w == OMEN_NONE
             || (saw (s->p, rf, w) && !omen_node_reads (s->p, w)));
}

bool
omen_space_can (const omen_space *s, const omen_query *q)
{
  if (!s->complete || q->takes || q->whole || q->refine)
    return false;
  if (!q->nexts)
    return can_see (s, q);
  for (uint32_t i = 0; i < q->nexts; i++)
    if (!can_be_next (s, q->next[i]) || s->guarded[q->next[i]])
      return false;
  return !q->rf_count && !q->lasts && !q->withouts && !q->orders;
}

static bool
is_next (const omen_space *s, const uint32_t *state, omen_node n)
{
  return state[s->p->chain_of[n]] == s->p->index_of[n]
         && omen_space_edges (s, state, n);
}

static bool
shows (const omen_space *s, const uint32_t *state, const omen_query *q)
{
  uint32_t last;
  for (uint32_t i = 0; i < q->nexts; i++)
    if (!is_next (s, state, q->next[i]))
      return false;
  if (q->nexts)
    return true;
  last = state[s->at.last + q->rf->atom];
  return is_next (s, state, q->rf->read)
         && (last == OMEN_PAST ? OMEN_PAST : s->p->accesses.data[last].node)
                == q->rf->writer
         && !(q->withouts && omen_space_done (s, state, q->without[0]))
         && (!q->orders || omen_space_done (s, state, q->order[0].from));
}

/* Run a node, then its chain until it has done `end` nodes. */
static void
go_again (omen_space *s, omen_node by, uint32_t end)
{
  uint32_t chain = s->p->chain_of[by];
  omen_space_run (s, by);
  omen_space_settle (s);
  while (s->now[chain] < end) {
    omen_space_run (s, omen_space_next (s, chain));
    omen_space_settle (s);
  }
  OMEN_ASSERT (s->now[chain] == end);
}

/* Run the way to a state again, recording its nodes; it is then the current
   one. */
static void
trace_back (omen_space *s, uint32_t state)
{
  omen_ids way = { 0 };
  for (; s->parents.data[state] != OMEN_NONE; state = s->parents.data[state])
    OMEN_VEC_PUSH (way, state);
  omen_space_start (s);
  for (size_t i = way.count; i-- > 0;) {
    omen_node by = s->by.data[way.data[i]];
    go_again (s, by, omen_space_at (s, way.data[i])[s->p->chain_of[by]]);
  }
  OMEN_VEC_FINI (way);
}

/* Where a guarded read sees the write; NULL: it never does. */
static const omen_space_seen *
seen_of (const omen_space *s, const omen_query *q)
{
  const omen_problem *p = s->p;
  uint32_t k = access_of (p, q->rf->read, q->rf->atom);
  uint32_t last = q->rf->writer == OMEN_PAST
                      ? OMEN_PAST
                      : access_of (p, q->rf->writer, q->rf->atom);
  for (unsigned after = 0; after < 2; after++) {
    uint32_t at;
    if (after ? q->withouts : q->orders)
      continue;
    at = omen_map_get (&s->rf_seen, omen_space_key (s, k, last, after));
    if (at != OMEN_NONE)
      return &s->seen.data[at];
  }
  return NULL;
}

static bool
find_state (omen_space *s, const omen_query *q)
{
  if (!q->nexts && s->guarded[q->rf->read]) {
    const omen_space_seen *found = seen_of (s, q);
    if (!found)
      return false;
    trace_back (s, found->state);
    if (found->by != OMEN_NONE)
      go_again (s, found->by, s->p->index_of[q->rf->read]);
    return true;
  }
  for (uint32_t i = 0; i < s->parents.count; i++)
    if (shows (s, omen_space_at (s, i), q)) {
      trace_back (s, i);
      return true;
    }
  return false;
}

omen_verdict
omen_space_ask (omen_space *s, const omen_query *q, omen_answer *answer)
{
  bool found;
  OMEN_REQUIRE (omen_space_can (s, q));
  OMEN_ASSERT (!answer->sequence.count);
  answer->stage = OMEN_STAGE_STATES;
  s->record = &answer->sequence;
  found = find_state (s, q);
  s->record = NULL;
  if (found && !q->nexts)
    OMEN_VEC_PUSH (answer->sequence, q->rf->read);
  return found ? OMEN_FOUND : OMEN_ABSENT;
}
