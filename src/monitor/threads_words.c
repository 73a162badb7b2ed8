/* The words of a pattern's machine: their layout, and validation. */
#include "monitor/property.h"
#include "monitor/table.h"
#include "monitor/threads_state.h"

omen_threads_program
omen_threads_program_of (const uint32_t *words)
{
  omen_threads_program p
      = { .head = words, .parts = words[OMEN_THREADS_PARTS] };
  p.width
      = p.parts + words[OMEN_THREADS_NAMES] + 2 * words[OMEN_THREADS_REGIONS];
  p.starts = words + OMEN_THREADS_FIRST;
  p.nodes = p.starts + words[OMEN_THREADS_ALTERNATIVES] * p.parts;
  p.edges = p.nodes + 2 * words[OMEN_THREADS_NODES];
  p.lands = p.edges + 4 * words[OMEN_THREADS_EDGES];
  OMEN_ASSERT (p.parts && p.width <= OMEN_THREADS_WIDTH_MAX);
  return p;
}

static bool
edges_fit (const omen_threads_program *p)
{
  const uint32_t *head = p->head;
  for (uint32_t i = 0; i < head[OMEN_THREADS_EDGES]; i++) {
    const uint32_t *e = p->edges + 4 * i;
    if (e[0] >= head[OMEN_THREADS_EVENTS]
        || (e[1] != OMEN_NONE && e[1] >= head[OMEN_THREADS_NAMES])
        || (e[2] != OMEN_NONE && e[2] / 2 >= head[OMEN_THREADS_REGIONS])
        || e[3] >= head[OMEN_THREADS_NODES])
      return false;
  }
  for (uint32_t i = 0; i < head[OMEN_THREADS_NODES]; i++)
    if (p->nodes[2 * i] > head[OMEN_THREADS_EDGES]
        || (i && p->nodes[2 * i] < p->nodes[2 * i - 2]))
      return false;
  for (uint32_t i = 0; i < head[OMEN_THREADS_ALTERNATIVES] * p->parts; i++)
    if (p->starts[i] != OMEN_NONE && p->starts[i] >= head[OMEN_THREADS_NODES])
      return false;
  return true;
}

bool
omen_threads_valid (const uint32_t *words, uint32_t count, uint32_t events,
                    uint32_t predicates)
{
  omen_threads_program p;
  uint64_t want = OMEN_THREADS_FIRST;
  (void)predicates;
  if (count < OMEN_THREADS_FIRST || words[OMEN_THREADS_EVENTS] != events
      || events > OMEN_EVENTS_MAX
      || words[OMEN_THREADS_PARAMETERS] > OMEN_PARAMETERS_MAX
      || words[OMEN_THREADS_NAMES] > OMEN_THREADS_NAMES_MAX
      || words[OMEN_THREADS_REGIONS] > OMEN_THREADS_REGIONS_MAX
      || !words[OMEN_THREADS_PARTS]
      || words[OMEN_THREADS_PARTS] > OMEN_THREADS_PARTS_MAX)
    return false;
  want += (uint64_t)words[OMEN_THREADS_ALTERNATIVES] * words[OMEN_THREADS_PARTS]
          + 4 * (uint64_t)words[OMEN_THREADS_EDGES]
          + (uint64_t)words[OMEN_THREADS_NODES]
                * (2 + omen_lands_words (words[OMEN_THREADS_PARAMETERS]));
  if (want != count)
    return false;
  p = omen_threads_program_of (words);
  return edges_fit (&p);
}

bool
omen_threads_parallel (const omen_machine *machine)
{
  omen_threads_program p;
  if (machine->engine != &omen_engine_threads)
    return false;
  p = omen_threads_program_of (machine->words);
  for (uint32_t n = 0; n < p.head[OMEN_THREADS_NODES]; n++)
    if (!omen_threads_is_patient (&p, n))
      return true;
  return false;
}
