/* Reads and the writes they see: what choices remain, what they force. */
#include "solve/state.h"

/* Of the writes of a group, how many lie in the first `length` nodes of its
   chain. */
static uint32_t
written (const omen_problem *p, const omen_group *g, uint32_t length)
{
  OMEN_ASSERT (length <= omen_problem_length (p, g->chain));
  return OMEN_FIRST_NOT (
      i, 0, g->count,
      p->index_of[p->accesses.data[p->writes[g->first + i]].node] < length);
}

/* The first taken write of the group known to come after node w; OMEN_NONE. */
static omen_node
first_after (const omen_state *s, const omen_group *g, omen_node w)
{
  const omen_problem *p = s->p;
  uint32_t high = written (p, g, s->cut[g->chain]), low = 0, all = high;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    omen_node n = p->accesses.data[p->writes[g->first + middle]].node;
    if (n != w && omen_before (s, w, n))
      high = middle;
    else
      low = middle + 1;
  }
  return low < all ? p->accesses.data[p->writes[g->first + low]].node
                   : OMEN_NONE;
}

/* Writes that are known to come after w come after r, which sees w. */
static void
order_after_read (omen_state *s, uint32_t k, uint32_t w)
{
  const omen_problem *p = s->p;
  const omen_node_access *read = &p->accesses.data[k];
  OMEN_ASSERT (s->writer[k] == w);
  for (uint32_t i = p->group_first[read->atom];
       i < p->group_first[read->atom + 1] && !s->conflict; i++) {
    const omen_group *g = &p->groups[i];
    omen_node later;
    if (w == OMEN_PAST)
      later = written (p, g, s->cut[g->chain])
                  ? p->accesses.data[p->writes[g->first]].node
                  : OMEN_NONE;
    else
      later = first_after (s, g, p->accesses.data[w].node);
    if (later != OMEN_NONE && later != read->node)
      omen_order (s, read->node, later);
  }
}

/* Would read k be preserved by seeing w? */
static bool
read_accepts (const omen_problem *p, uint32_t k, uint32_t w)
{
  const omen_node_access *read = &p->accesses.data[k];
  OMEN_ASSERT (read->reads && w != OMEN_NONE);
  if (w == p->saw_access[k])
    return true;
  return read->want != OMEN_NONE
         && read->want
                == (w == OMEN_PAST ? p->past_value[read->atom]
                                   : p->accesses.data[w].gives);
}

void
omen_see (omen_state *s, uint32_t k, uint32_t w)
{
  const omen_problem *p = s->p;
  const omen_node_access *read = &p->accesses.data[k];
  uint32_t *head;
  OMEN_ASSERT (read->reads && s->writer[k] == OMEN_NONE);
  head = w == OMEN_PAST ? &s->past_head[read->atom] : &s->reader_head[w];
  omen_set (s, &s->writer[k], w);
  omen_set (s, &s->reader_next[k], *head);
  omen_set (s, head, k);
  omen_touch (s, read->node);
  if (w != OMEN_PAST) {
    const omen_node_access *write = &p->accesses.data[w];
    OMEN_ASSERT (write->writes && write->atom == read->atom);
    if (write->node == read->node) {
      s->conflict = true;
      return;
    }
    omen_order (s, write->node, read->node);
    if (s->conflict || !omen_taken (s, write->node))
      return; /* the rest follows when the write is taken */
  }
  order_after_read (s, k, w);
}

/* An rmw that reads another value writes another value: its own read must be
   preserved. */
static void
firm_up (omen_state *s, uint32_t w)
{
  const omen_problem *p = s->p;
  if (w != OMEN_PAST && p->accesses.data[w].reads)
    omen_activate (s, p->accesses.data[w].node);
}

void
omen_choose (omen_state *s, uint32_t k, uint32_t w)
{
  omen_see (s, k, w);
  if (!s->conflict)
    firm_up (s, w);
}

void
omen_insist (omen_state *s, uint32_t k)
{
  OMEN_ASSERT (s->writer[k] != OMEN_NONE);
  if (!read_accepts (s->p, k, s->writer[k]))
    s->conflict = true;
  else
    firm_up (s, s->writer[k]);
}

/* Is w followed by another write of the atom that comes before read k? */
static bool
overwritten (const omen_state *s, uint32_t k, omen_node w)
{
  const omen_problem *p = s->p;
  const omen_node_access *read = &p->accesses.data[k];
  const uint32_t *row = omen_row (s, read->node);
  for (uint32_t i = p->group_first[read->atom];
       i < p->group_first[read->atom + 1]; i++) {
    const omen_group *g = &p->groups[i];
    uint32_t count = written (p, g, row[g->chain]);
    omen_node last;
    if (!count)
      continue;
    last = p->accesses.data[p->writes[g->first + count - 1]].node;
    if (last != w && (w == OMEN_PAST || omen_before (s, w, last)))
      return true;
  }
  return false;
}

/* Does one of these readers come after the node? */
static bool
seen_later (const omen_state *s, uint32_t head, omen_node n)
{
  for (uint32_t k = head; k != OMEN_NONE; k = s->reader_next[k]) {
    omen_node read = s->p->accesses.data[k].node;
    if (read != n && omen_taken (s, read) && omen_before (s, n, read))
      return true;
  }
  return false;
}

/* All reads between a write and a read of it see that write: is there such a
   write other than w, before read k, with a reader after k? */
static bool
between (const omen_state *s, uint32_t k, uint32_t w)
{
  const omen_problem *p = s->p;
  const omen_node_access *read = &p->accesses.data[k];
  const uint32_t *row = omen_row (s, read->node);
  if (w != OMEN_PAST && seen_later (s, s->past_head[read->atom], read->node))
    return true;
  for (uint32_t i = p->group_first[read->atom];
       i < p->group_first[read->atom + 1]; i++) {
    const omen_group *g = &p->groups[i];
    uint32_t count = written (p, g, row[g->chain]);
    uint32_t last = count ? p->writes[g->first + count - 1] : w;
    if (last != w && seen_later (s, s->reader_head[last], read->node))
      return true;
  }
  return false;
}

static bool
possible (const omen_state *s, uint32_t k, uint32_t w)
{
  const omen_problem *p = s->p;
  omen_node read = p->accesses.data[k].node, write;
  if (between (s, k, w))
    return false;
  if (w == OMEN_PAST)
    return !overwritten (s, k, OMEN_PAST);
  write = p->accesses.data[w].node;
  if (write == read || p->index_of[write] >= s->limit[p->chain_of[write]])
    return false;
  if (p->chain_of[write] == p->chain_of[read]
      && p->index_of[write] > p->index_of[read])
    return false;
  if (!omen_taken (s, write))
    return true;
  return !omen_before (s, read, write) && !overwritten (s, k, write);
}

/* Candidate number i: what it saw, the past, then the writes of its value.
   OMEN_NONE: no such number. */
static uint32_t
candidate (const omen_problem *p, uint32_t k, uint32_t i)
{
  uint32_t v = p->accesses.data[k].want;
  if (!i)
    return p->saw_access[k];
  if (v == OMEN_NONE)
    return OMEN_NONE;
  if (i == 1)
    return OMEN_PAST;
  return i - 2 < p->class_first[v + 1] - p->class_first[v]
             ? p->class_writes[p->class_first[v] + i - 2]
             : OMEN_NONE;
}

/* Does w, of the right value class or the past, write what read k wants? */
static bool
has_value (const omen_problem *p, uint32_t k, uint32_t w)
{
  const omen_node_access *read = &p->accesses.data[k];
  if (w == OMEN_PAST)
    return p->past_value[read->atom] == read->want;
  return p->accesses.data[w].atom == read->atom;
}

uint32_t
omen_next_candidate (const omen_state *s, uint32_t k, uint32_t *at)
{
  const omen_problem *p = s->p;
  uint32_t w;
  OMEN_ASSERT (p->accesses.data[k].reads && s->writer[k] == OMEN_NONE);
  while ((w = candidate (p, k, *at)) != OMEN_NONE) {
    bool first = !(*at)++;
    if ((first || (w != p->saw_access[k] && has_value (p, k, w)))
        && possible (s, k, w))
      break;
  }
  return w;
}

/* An undecided read with one candidate left has no choice. */
static void
decide_if_forced (omen_state *s, uint32_t k)
{
  uint32_t at = 0, first = omen_next_candidate (s, k, &at);
  if (first == OMEN_NONE)
    s->conflict = true;
  else if (omen_next_candidate (s, k, &at) == OMEN_NONE)
    omen_choose (s, k, first);
}

/* Other writes before the read come before the write it sees. */
static void
order_before_write (omen_state *s, uint32_t k)
{
  const omen_problem *p = s->p;
  const omen_node_access *read = &p->accesses.data[k];
  const uint32_t *row = omen_row (s, read->node);
  uint32_t w = s->writer[k];
  omen_node seen = w == OMEN_PAST ? OMEN_PAST : p->accesses.data[w].node;
  OMEN_ASSERT (w != OMEN_NONE && omen_taken (s, read->node));
  for (uint32_t i = p->group_first[read->atom];
       i < p->group_first[read->atom + 1] && !s->conflict; i++) {
    const omen_group *g = &p->groups[i];
    uint32_t count = written (p, g, row[g->chain]);
    omen_node last;
    if (!count)
      continue;
    last = p->accesses.data[p->writes[g->first + count - 1]].node;
    if (last == seen)
      continue;
    if (seen == OMEN_PAST)
      s->conflict = true;
    else
      omen_order (s, last, seen);
  }
}

void
omen_check_reads (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  for (uint32_t k = p->access_first[n];
       k < p->access_first[n + 1] && !s->conflict; k++) {
    if (!p->accesses.data[k].reads)
      continue;
    if (s->writer[k] == OMEN_NONE && s->active[n])
      decide_if_forced (s, k);
    if (s->writer[k] != OMEN_NONE && !s->conflict)
      order_before_write (s, k);
  }
}

static void
order_readers (omen_state *s, uint32_t head, omen_node w)
{
  for (uint32_t k = head; k != OMEN_NONE && !s->conflict;
       k = s->reader_next[k]) {
    omen_node read = s->p->accesses.data[k].node;
    if (read != w)
      omen_order (s, read, w);
  }
}

/* Readers of writes that come before this one come before it too. */
void
omen_check_writes (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  OMEN_ASSERT (omen_taken (s, n));
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++) {
    const omen_node_access *write = &p->accesses.data[k];
    const uint32_t *row = omen_row (s, n);
    if (!write->writes)
      continue;
    order_readers (s, s->past_head[write->atom], n);
    for (uint32_t i = p->group_first[write->atom];
         i < p->group_first[write->atom + 1] && !s->conflict; i++) {
      const omen_group *g = &p->groups[i];
      uint32_t count = written (p, g, row[g->chain]);
      if (count)
        order_readers (s, s->reader_head[p->writes[g->first + count - 1]], n);
    }
  }
}
