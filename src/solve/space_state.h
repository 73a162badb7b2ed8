/* Private to the space of states: what space.c (all states), space_run.c (from
   one to the next) and space_ask.c (questions) share. */
#ifndef OMEN_SOLVE_SPACE_STATE_H
#define OMEN_SOLVE_SPACE_STATE_H

#include "base/map.h"
#include "solve/space.h"

/* The words of a state. */
typedef struct omen_space_layout {
  uint32_t last;   /* by atom: access that wrote it last, or OMEN_PAST */
  uint32_t served; /* needs that a provider for many has served */
  uint32_t tokens; /* one word a need: providers not used yet, each the set of
                      open needs that it can serve; later ones can serve more, 0
                      at the end */
  uint32_t words;
} omen_space_layout;

/* Where a guarded read is next: in this state, or after `by` is run from it. */
typedef struct omen_space_seen {
  uint32_t state;
  omen_node by;
} omen_space_seen;

struct omen_space {
  const omen_problem *p;
  omen_space_layout at;
  bool complete;
  bool zeros;       /* something is taken at zero */
  uint8_t *eager;   /* by node: run as soon as it can */
  uint8_t *guarded; /* by node: its accesses are protected by a resource that
                       the chain holds */
  uint32_t *opens;  /* by node: needs that it opens */
  OMEN_VEC (uint32_t) states;  /* at.words each */
  OMEN_VEC (uint32_t) parents; /* by state, and the node that led to it */
  OMEN_VEC (omen_node) by;
  omen_map rf_seen; /* of guarded reads -> seen */
  OMEN_VEC (omen_space_seen) seen;
  uint32_t *table; /* of states, by hash; OMEN_NONE: empty */
  uint32_t mask;
  /* the current state */
  uint32_t *now;
  uint8_t *held;    /* by resource: 1 shared, 2 exclusively */
  int32_t *counts;  /* by semaphore; both are valid after omen_space_load */
  omen_ids *record; /* of nodes that are run, or NULL */
};

static inline const uint32_t *
omen_space_at (const omen_space *s, uint32_t i)
{
  return s->states.data + (size_t)i * s->at.words;
}

static inline bool
omen_space_done (const omen_space *s, const uint32_t *state, omen_node n)
{
  return s->p->index_of[n] < state[s->p->chain_of[n]];
}

/* The section, or NULL if there is none or it is implied by values. */
static inline const omen_node_section *
omen_space_section (const omen_space *s, uint32_t section)
{
  const omen_node_section *sec
      = section == OMEN_NONE ? NULL : &s->p->sections.data[section];
  return sec && !sec->implied ? sec : NULL;
}

static inline omen_node
omen_space_next (const omen_space *s, uint32_t chain)
{
  return s->now[chain] < omen_problem_length (s->p, chain)
             ? omen_problem_node (s->p, chain, s->now[chain])
             : OMEN_NONE;
}

/* What a guarded read would see: key of `rf_seen`. */
static inline uint64_t
omen_space_key (const omen_space *s, uint32_t k, uint32_t last, bool after)
{
  OMEN_ASSERT (last == OMEN_PAST || last < s->p->accesses.count);
  return ((uint64_t)k << 32 | last) << 1 | after;
}

static inline bool
omen_node_reads (const omen_problem *p, omen_node n)
{
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
    if (p->accesses.data[k].reads)
      return true;
  return false;
}

static inline bool
omen_node_writes (const omen_problem *p, omen_node n)
{
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
    if (p->accesses.data[k].writes)
      return true;
  return false;
}

/* ---- space_run.c ---- */
/* Have the nodes been done, in this state, that static edges put before n? */
bool omen_space_edges (const omen_space *space, const uint32_t *state,
                       omen_node n);
/* The following use the current state. Would the reads of n see what they
   accept? */
bool omen_space_reads (const omen_space *space, omen_node n);
/* Can n, which is next, be run? After omen_space_load. */
bool omen_space_runs (const omen_space *space, omen_node n);
/* Compute holders and counts from the progress of the chains. */
void omen_space_load (omen_space *space);
void omen_space_run (omen_space *space, omen_node n);
/* Run all that is eager. */
void omen_space_settle (omen_space *space);
/* The first state. */
void omen_space_start (omen_space *space);

#endif
