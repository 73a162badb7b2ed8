/* Semaphores: a bound that refutes without search. Needs, tokens and insides
   are otherwise left to the run (run.c), which meets them in passing or names
   them as the reason it is stuck. */
#include "solve/state.h"
#include "base/seeded.h"

/* The count of a semaphore at the end of any solution is at most this. */
static int64_t
most_left (const omen_state *s, uint32_t semaphore, int32_t *now, int32_t *best)
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
    now[chain] += c->change;
    if (index < s->cut[chain]
        || (now[chain] > best[chain] && !OMEN_BUG (110)))
      best[chain] = now[chain];
  }
  for (uint32_t c = 0; c < p->chains; c++) {
    sum += best[c];
    now[c] = best[c] = 0;
  }
  return sum;
}

bool
omen_semaphores_possible (const omen_state *s)
{
  const omen_problem *p = s->p;
  int32_t *now;
  bool possible = true;
  if (!p->semaphores)
    return true;
  now = omen_zalloc (2 * (size_t)p->chains, sizeof *now);
  for (uint32_t i = 0; i < p->semaphores && possible; i++)
    possible = most_left (s, i, now, now + p->chains) >= 0;
  omen_free (now);
  return possible;
}
