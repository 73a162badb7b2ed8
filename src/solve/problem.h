/* An order problem: chains of nodes. A solution takes a prefix of each chain
   and puts the taken nodes into one sequence. Independent of traces: model/
   makes one from a window of a trace, tests make them by hand.

     chain 0:  0 w(a)   2 end(l)         node ids are positions in the observed
     chain 1:  1 r(a)   3 start(l)       order: the solver tries that first

   Rules a solution keeps (doc/semantics.md, section 3, in other words):
   - static edges: if a node is taken, so are its predecessors, before it;
   - sections of one resource exclude each other unless both are shared; those
     that are `implied` follow from the other rules, but save a search;
   - a read that has a successor (a taken node after it in its chain, a target
     that is next in its chain, or a "firm" edge) sees a write it accepts;
   - a need is served by a provider of its own, after the need's opening and
     before the need;
   - a semaphore never falls below zero; a zero is taken at zero;
   - an inside is taken while its resource is held.
   A sliced problem requires this of relevant reads only. Relevant are: what the
   query claims, the taken nodes that are `always` so, what a relevant node
   depends on, and the taken writes of atoms that a relevant node reads or that
   are `observed` from the start; behind a firm edge, all reads of the chain.

   All arrays belong to the maker of the problem; the solver only reads them.
   "Past" means before the first node: the state in which the window starts. */
#ifndef OMEN_SOLVE_PROBLEM_H
#define OMEN_SOLVE_PROBLEM_H

#include "base/defs.h"
#include "base/vec.h"

typedef uint32_t omen_node;

#define OMEN_PAST (OMEN_NONE - 1) /* a write, or start, before the window */

/* What one node does to one atom. An rmw both reads and writes. */
typedef struct omen_node_access {
  omen_node node;
  uint32_t atom;
  uint32_t want;  /* value class that a read accepts; OMEN_NONE: only `saw` */
  uint32_t gives; /* value class of a write; OMEN_NONE: only those that saw it
                     accept it */
  omen_node saw;  /* what the read saw: a node, or OMEN_PAST */
  bool reads, writes;
} omen_node_access;

typedef struct omen_node_section {
  uint32_t resource, chain;
  omen_node start; /* or OMEN_PAST */
  omen_node end;   /* or OMEN_NONE: never ends */
  bool exclusive;
  bool implied; /* follows from values, if the read at its start must be
                   preserved */
} omen_node_section;

/* `node` must be preceded by a provider of pool `pool` that comes after
   `opening` (OMEN_PAST: any), and is not used by another need. */
typedef struct omen_need {
  omen_node node;
  omen_node opening;   /* or OMEN_PAST: then past providers serve if their */
  uint32_t past_order; /* past_order is not below this one */
  uint32_t pool;
} omen_need;

typedef struct omen_provider {
  omen_node node;      /* or OMEN_PAST */
  uint32_t past_order; /* of a past one: position among the past nodes */
  uint32_t pool;
  bool many; /* serves any number */
} omen_provider;

typedef struct omen_count {
  omen_node node;
  uint32_t semaphore;
  int8_t change; /* +1 up, -1 down, 0 taken at zero */
} omen_count;

/* Node is taken while `resource` is held by a section of another chain, an
   exclusive one if `exclusive` is set. */
typedef struct omen_inside {
  omen_node node;
  uint32_t resource;
  bool exclusive;
} omen_inside;

typedef struct omen_edge {
  omen_node from, to;
  bool firm; /* the last read of from's chain must be preserved (join) */
} omen_edge;

typedef struct omen_problem {
  uint32_t nodes, chains;
  uint32_t *chain_of, *index_of; /* by node */
  uint32_t *chain_first;         /* chains + 1: start in chain_nodes */
  omen_node *chain_nodes;        /* all chains' nodes, in order */

  OMEN_VEC (omen_edge) edges; /* static, any order until sealed */
  OMEN_VEC (omen_node_access) accesses;
  OMEN_VEC (omen_node_section) sections;
  OMEN_VEC (omen_need) needs;
  OMEN_VEC (omen_provider) providers;
  OMEN_VEC (omen_count) counts;
  OMEN_VEC (omen_inside) insides;
  uint32_t atoms, resources, pools, semaphores;
  bool sliced;
  OMEN_VEC (omen_edge) depends; /* sliced: `from` depends on `to` */
  uint8_t *always;              /* sliced, by node */
  uint8_t *observed;            /* sliced, by atom: its writes are relevant */
  uint32_t *past_value;         /* by atom: value class of the past write */
  int32_t *past_count;          /* by semaphore */

  /* ---- made by omen_problem_seal ---- */
  uint32_t *edge_first;   /* nodes + 1: edges sorted by `to` */
  uint32_t *out_first;    /* nodes + 1 */
  uint32_t *out_edges;    /* edge ids sorted by `from` */
  uint32_t *depend_first; /* sliced, nodes + 1: depends sorted by `from` */
  uint32_t *access_first; /* nodes + 1: accesses sorted by node */
  uint32_t *saw_access;   /* by access: the write it saw, or OMEN_PAST */
  /* accesses that write, by atom then chain then node */
  uint32_t *writes;      /* access ids */
  uint32_t *group_first; /* by atom, atoms + 1: range of groups */
  struct omen_group *groups;
  uint32_t *class_first;  /* value classes + 1: range in class_writes */
  uint32_t *class_writes; /* access ids by value class, then node */
  uint32_t classes;
  /* sections: sorted by resource, chain, start; lists as groups */
  uint32_t *resource_first; /* resources + 1: range of section_groups */
  struct omen_group *section_groups; /* ranges of sections */
  uint32_t *hold_of;                 /* by node: where in holds its list is */
  uint32_t *holds;    /* lists of sections open after the node: n, s1 … sn */
  uint32_t *start_of; /* by node: section that starts there, or OMEN_NONE */
  uint32_t *end_of;   /* by node: section that ends there, or OMEN_NONE */
  uint32_t *need_of, *inside_of, *count_of; /* by node, or OMEN_NONE */
  uint32_t *provider_of;                    /* by node, or OMEN_NONE */
  uint32_t *pool_first;     /* pools + 1: range of pool_providers */
  uint32_t *pool_providers; /* provider ids, past first, then by node */
  uint32_t *sem_first;      /* semaphores + 1 */
  uint32_t *sem_counts;     /* count ids by semaphore, then node */
  omen_arena arena;         /* owns all arrays above but the vectors */
} omen_problem;

/* Consecutive entries that belong to one chain. */
typedef struct omen_group {
  uint32_t chain, first, count;
} omen_group;

void omen_problem_init (omen_problem *problem, uint32_t nodes, uint32_t chains);
void omen_problem_fini (omen_problem *problem);
/* Sort and index. Call once, after all vectors, chain_of, past_* are filled. */
void omen_problem_seal (omen_problem *problem);
/* Everything in range, sorted, consistent. */
bool omen_problem_valid (const omen_problem *problem);

static inline omen_node
omen_problem_node (const omen_problem *p, uint32_t chain, uint32_t index)
{
  return p->chain_nodes[p->chain_first[chain] + index];
}

static inline uint32_t
omen_problem_length (const omen_problem *p, uint32_t chain)
{
  return p->chain_first[chain + 1] - p->chain_first[chain];
}

#endif
