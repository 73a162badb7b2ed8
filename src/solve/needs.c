/* Semaphores: a bound that refutes without search. Otherwise needs, tokens and
   insides are left to the run (run.c), which satisfies them in passing or
   reports them as the reason why it is stuck. */
#include "solve/state.h"

/* An upper bound of the semaphore's count at the end of any solution. */
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
