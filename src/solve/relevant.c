/* Sliced problems: which reads have to be preserved. Relevance only grows as
   nodes are taken, so it is propagated and undone like everything else. */
#include "solve/state.h"

/* A relevant node reads the atom: its taken writes become relevant, and those
   taken later will be (omen_take_relevant). */
static void
observe_atom (omen_state *s, uint32_t atom)
{
  const omen_problem *p = s->p;
  if (s->observed[atom])
    return;
  omen_set (s, &s->observed[atom], 1);
  for (uint32_t i = p->group_first[atom]; i < p->group_first[atom + 1]; i++)
    for (uint32_t j = 0; j < p->groups[i].count; j++) {
      omen_node n = p->accesses.data[p->writes[p->groups[i].first + j]].node;
      if (omen_taken (s, n))
        OMEN_VEC_PUSH (s->news, n);
    }
}

static void
mark_relevant (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  if (s->relevant[n])
    return;
  omen_set (s, &s->relevant[n], 1);
  for (uint32_t i = p->depend_first[n]; i < p->depend_first[n + 1]; i++)
    OMEN_VEC_PUSH (s->news, p->depends.data[i].to);
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
    if (p->accesses.data[k].reads)
      observe_atom (s, p->accesses.data[k].atom);
  if (s->followed[n])
    omen_activate (s, n);
}

void
omen_relevant (omen_state *s, omen_node n)
{
  if (!s->p->sliced)
    return;
  OMEN_ASSERT (n < s->p->nodes);
  OMEN_VEC_PUSH (s->news, n);
  while (s->news.count && !s->conflict)
    mark_relevant (s, OMEN_VEC_POP (s->news));
  OMEN_VEC_CLEAR (s->news);
}

void
omen_take_relevant (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  bool relevant;
  if (!p->sliced)
    return;
  relevant = p->always[n];
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
    relevant |= p->accesses.data[k].writes
                && (s->observed[p->accesses.data[k].atom]
                    || p->observed[p->accesses.data[k].atom]);
  if (relevant)
    omen_relevant (s, n);
}

void
omen_follow (omen_state *s, omen_node n)
{
  if (!s->p->sliced) {
    omen_activate (s, n);
    return;
  }
  if (s->followed[n])
    return;
  omen_set (s, &s->followed[n], 1);
  if (s->relevant[n])
    omen_activate (s, n);
}

void
omen_keep (omen_state *s, omen_node last)
{
  const omen_problem *p = s->p;
  if (!p->sliced) {
    omen_activate (s, last);
    return;
  }
  for (uint32_t i = 0; i <= p->index_of[last] && !s->conflict; i++) {
    omen_node n = omen_problem_node (p, p->chain_of[last], i);
    for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
      if (p->accesses.data[k].reads) {
        omen_relevant (s, n);
        omen_activate (s, n);
        break;
      }
  }
}
