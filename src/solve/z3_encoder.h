/* Private to z3*.c: an order problem as difference logic. A position for each
   node, a Boolean whether it is taken:

     taken(b) => taken(a) and at(a) < at(b)          a static edge a -> b

   The encoder is filled by omen_z3_ask; each file states the rules of one kind
   of thing. `terms` counts how large it has become: once it is beyond
   OMEN_TERMS_MAX the encoding stops halfway and is not asked. */
#ifndef OMEN_SOLVE_Z3_ENCODER_H
#define OMEN_SOLVE_Z3_ENCODER_H

#include "solve/solver.h"

#include <z3.h>

typedef struct omen_z3_encoder {
  const omen_problem *p;
  const omen_query *q;
  Z3_context c;
  Z3_solver solver;
  uint32_t *limit; /* by chain */
  Z3_ast *taken;   /* by node; false beyond the limit */
  Z3_ast *at;      /* by node: position */
  Z3_ast *kept;    /* by access: the read is preserved; NULL: no read */
  Z3_ast yes, no;
  Z3_ast **uses;  /* by need: by provider of its pool, "is served by" */
  uint64_t terms; /* how large it has become */
  omen_deadline deadline;
  uint64_t check_at; /* number of terms at which to check the deadline next */
  bool late;
} omen_z3_encoder;

/* Beyond this Z3 would run out of memory before it ran out of time. */
#define OMEN_TERMS_MAX 20000000u

/* Has the encoding become too large, or taken too long? */
static inline bool
omen_z3_full (omen_z3_encoder *e)
{
  if (e->terms >= e->check_at) {
    e->check_at = e->terms + 10000;
    e->late |= omen_is_past (&e->deadline);
  }
  return e->late || e->terms >= OMEN_TERMS_MAX;
}

typedef OMEN_VEC (Z3_ast) omen_terms;

/* ---- terms ---- */

static inline Z3_ast
omen_z3_both (omen_z3_encoder *e, Z3_ast a, Z3_ast b)
{
  Z3_ast list[2] = { a, b };
  e->terms++;
  return Z3_mk_and (e->c, 2, list);
}

static inline Z3_ast
omen_z3_either (omen_z3_encoder *e, Z3_ast a, Z3_ast b)
{
  Z3_ast list[2] = { a, b };
  e->terms++;
  return Z3_mk_or (e->c, 2, list);
}

static inline Z3_ast
omen_z3_not (omen_z3_encoder *e, Z3_ast a)
{
  return Z3_mk_not (e->c, a);
}

static inline Z3_ast
omen_z3_implies (omen_z3_encoder *e, Z3_ast a, Z3_ast b)
{
  e->terms++;
  return Z3_mk_implies (e->c, a, b);
}

/* One of the terms; false if there is none. Empties the list. */
static inline Z3_ast
omen_z3_any (omen_z3_encoder *e, omen_terms *list)
{
  Z3_ast result = list->count
                      ? Z3_mk_or (e->c, (unsigned)list->count, list->data)
                      : e->no;
  e->terms += list->count;
  OMEN_VEC_CLEAR (*list);
  return result;
}

static inline Z3_ast
omen_z3_all (omen_z3_encoder *e, omen_terms *list)
{
  Z3_ast result = list->count
                      ? Z3_mk_and (e->c, (unsigned)list->count, list->data)
                      : e->yes;
  e->terms += list->count;
  OMEN_VEC_CLEAR (*list);
  return result;
}

static inline void
omen_z3_require (omen_z3_encoder *e, Z3_ast a)
{
  Z3_solver_assert (e->c, e->solver, a);
}

static inline Z3_ast
omen_z3_before (omen_z3_encoder *e, omen_node a, omen_node b)
{
  e->terms++;
  return Z3_mk_lt (e->c, e->at[a], e->at[b]);
}

static inline bool
omen_z3_reachable (const omen_z3_encoder *e, omen_node n)
{
  return e->p->index_of[n] < e->limit[e->p->chain_of[n]];
}

static inline bool
omen_z3_is_next (const omen_z3_encoder *e, omen_node n)
{
  for (uint32_t i = 0; i < e->q->nexts; i++)
    if (e->q->next[i] == n)
      return true;
  return false;
}

/* Is node n taken, or next? */
static inline Z3_ast
omen_z3_happens (const omen_z3_encoder *e, omen_node n)
{
  return omen_z3_is_next (e, n) ? e->yes : e->taken[n];
}

/* ---- rules ---- */

/* z3_nodes.c: nodes, chains, edges, what is asked; sections and insides. Nodes
   first. */
void omen_z3_make_nodes (omen_z3_encoder *e);
void omen_z3_encode_chains (omen_z3_encoder *e);
void omen_z3_encode_edges (omen_z3_encoder *e);
void omen_z3_encode_query (omen_z3_encoder *e);
void omen_z3_encode_sections (omen_z3_encoder *e);
void omen_z3_encode_insides (omen_z3_encoder *e);
/* z3_reads.c: what is seen. */
void omen_z3_encode_reads (omen_z3_encoder *e);
void omen_z3_encode_rf (omen_z3_encoder *e);
void omen_z3_encode_whole (omen_z3_encoder *e);
/* z3_needs.c: what is used up, by need and by semaphore. */
void omen_z3_encode_need (omen_z3_encoder *e, uint32_t id);
void omen_z3_encode_semaphore (omen_z3_encoder *e, uint32_t id);

#endif
