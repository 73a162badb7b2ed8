/* Semaphores: a bound that refutes without search. Needs, tokens and insides
   are otherwise left to the run (run.c), which meets them in passing or names
   them as the reason it is stuck. */
#include "solve/state.h"

/* The count of a semaphore at the end of any solution is at most this. */
static int64_t
most_left (omen_state *s, uint32_t semaphore)
{
  const omen_problem *p = s->p;
  int64_t sum = p->past_count[semaphore];
  OMEN_ASSERT (sum >= 0);
  for (uint32_t i = p->sem_first[semaphore]; i < p->sem_first[semaphore + 1];
       i++) {
    const omen_count *c = &p->counts.data[p->sem_counts[i]];
    uint32_t chain = p->chain_of[c->node], index = p->index_of[c->node];
    OMEN_ASSERT (c->semaphore == semaphore && s->cut[chain] <= s->limit[chain]);
    if (index >= s->limit[chain])
      continue;
    s->sum[chain] += c->change;
    if (index < s->cut[chain] || s->sum[chain] > s->most[chain])
      s->most[chain] = s->sum[chain];
  }
  for (uint32_t c = 0; c < p->chains; c++) {
    sum += s->most[c];
    s->sum[c] = s->most[c] = 0;
  }
  return sum;
}

bool
omen_semaphores_possible (omen_state *s)
{
  for (uint32_t i = 0; i < s->p->semaphores; i++)
    if (most_left (s, i) < 0)
      return false;
  return true;
}
