/* Private to the lattice: from the model to gates, for lattice_plan.c and
   lattice_memory.c. */
#ifndef OMEN_MODEL_LATTICE_BUILD_H
#define OMEN_MODEL_LATTICE_BUILD_H

#include "model/lattice_plan.h"

/* Parts of a step's gates, in the order of omen_lattice_step. */
enum { NEEDS, SEES, KEYS, REST, PARTS };

/* Gates are collected by event and part, then laid out by thread. */
typedef struct omen_piece {
  omen_gate gate;
  uint32_t step, part;
} omen_piece;

/* What building needs beside the plan. */
typedef struct omen_builder {
  omen_lattice *plan;
  const omen_model *model;
  OMEN_VEC (omen_piece) pieces;
  uint32_t *lock_bit;           /* by lock, or OMEN_NONE */
  uint32_t *lock_readers;       /* by lock: counter, or OMEN_NONE */
  uint32_t *atom_bit;           /* by atom, or OMEN_NONE */
  uint32_t *slot_of;            /* by thread, or OMEN_NONE */
  omen_ids started;             /* bits that are set from the start */
  omen_ids counts;              /* counters at the start */
  OMEN_VEC (omen_gate) effects; /* of events before the start */
  uint32_t *due;                /* by thread: scratch */
} omen_builder;

/* Steps of e's thread up to and including e, as omen_due counts them. */
static inline uint32_t
omen_builder_count (const omen_builder *b, omen_eid e)
{
  return omen_lattice_among (b->plan, omen_model_thread (b->model, e),
                             b->model->trace->index[e] + 1);
}

static inline bool
omen_builder_outside (const omen_builder *b, omen_eid e)
{
  return b->plan->role[e] & (OMEN_ROLE_BEFORE | OMEN_ROLE_AFTER);
}

/* Add a gate or effect of the event. Gates of events outside are dropped;
   effects of those before all threads, and of allocs, become part of the
   start. */
void omen_builder_add (omen_builder *b, omen_eid e, uint32_t part,
                       omen_gate_kind kind, uint32_t a, uint32_t other);
/* Atomic sets of all atoms. */
void omen_builder_memory (omen_builder *b);

#endif
