/* Private to the solver: the growing partial order and what has been decided.

   cut[c]     how many nodes of chain c are taken; the taken set is closed under
              static edges once `demands` is empty
   row(n)[c]  how many nodes of chain c are known to come before the taken node
              n; own chain: its index. Rows only grow, and grow along a chain
   writer[k]  what read k sees: an access, OMEN_PAST, or OMEN_NONE undecided
   active[n]  the reads of n must be preserved: those with a successor, in a
              sliced problem if they are relevant too

   Invariants between propagations (state_valid):
   - rows are transitive: b before a implies row(b) <= row(a);
   - row(n)[own chain] == index of n, else there is a conflict.

   Every change of a slot below a mark goes through state_set, so that
   state_undo can take it back; rows of nodes beyond the cut are garbage. */
#ifndef OMEN_SOLVE_STATE_H
#define OMEN_SOLVE_STATE_H

#include "solve/solver.h"

typedef struct omen_undo {
  uint32_t *slot;
  uint32_t old;
} omen_undo;

/* One entry of a linked list of edges. */
typedef struct omen_link {
  omen_node other;
  uint32_t next;
} omen_link;

typedef struct omen_state {
  const omen_problem *p;
  uint32_t *cut, *limit, *wanted; /* by chain */
  uint32_t *row;                  /* nodes x chains */
  uint32_t *active;               /* by node */
  uint32_t *relevant, *followed;  /* by node: sliced; has a successor */
  uint32_t *observed;             /* by atom: a relevant node reads it */
  omen_ids news;                  /* nodes about to become relevant */
  uint32_t *writer;               /* by access */
  uint32_t *reader_head;          /* by access: reads that see this write */
  uint32_t *past_head;            /* by atom: reads that see the past */
  uint32_t *reader_next;          /* by access */
  uint32_t *out_head, *in_head;   /* by node: decided edges; in_head: edges
                                     that hold once the node is taken */
  OMEN_VEC (omen_link) links;
  uint32_t *server; /* by need: provider, or OMEN_NONE */
  uint32_t *client; /* by provider: 1 if the need that it serves is decided */
  uint32_t *token;  /* by count: the up that serves a down, OMEN_PAST */
  uint32_t *token_used; /* by count: 1 if this up serves a down */
  uint32_t *past_used;  /* by semaphore: past tokens used up */
  uint32_t *host;       /* by inside: the section it is in, or OMEN_NONE */
  int32_t *sum, *most;  /* by chain: scratch of omen_semaphores_possible, zero
                           between calls; NULL without semaphores */
  OMEN_VEC (omen_undo) trail;
  omen_ids demands; /* chains with wanted > cut */
  omen_ids heap;    /* taken nodes whose row changed, least first */
  uint8_t *in_heap; /* by node */
  bool conflict;
  bool late; /* past the deadline: `conflict` proves nothing */
  unsigned ticks;
  const omen_deadline *deadline; /* or NULL */
  uint64_t work;                 /* rows joined: what propagation costs */
} omen_state;

static inline uint32_t *
omen_row (const omen_state *s, omen_node n)
{
  return s->row + (size_t)n * s->p->chains;
}

static inline bool
omen_taken (const omen_state *s, omen_node n)
{
  return s->p->index_of[n] < s->cut[s->p->chain_of[n]];
}

/* Is a known to come before b (both taken)? Equal nodes: no. */
static inline bool
omen_before (const omen_state *s, omen_node a, omen_node b)
{
  return omen_row (s, b)[s->p->chain_of[a]] > s->p->index_of[a];
}

static inline void
omen_set (omen_state *s, uint32_t *slot, uint32_t value)
{
  OMEN_VEC_PUSH (s->trail, ((omen_undo){ slot, *slot }));
  *slot = value;
}

static inline size_t
omen_state_mark (const omen_state *s)
{
  return s->trail.count;
}

/* ---- state.c ---- */
/* Propagate n again: something it depends on has changed. */
void omen_touch (omen_state *s, omen_node n);
void omen_state_init (omen_state *s, const omen_problem *p);
void omen_state_fini (omen_state *s);
void omen_state_undo (omen_state *s, size_t mark);
/* Take the first `length` nodes of a chain; conflict if above its limit. */
void omen_demand (omen_state *s, uint32_t chain, uint32_t length);
void omen_demand_node (omen_state *s, omen_node n);
/* a before b; both are taken if need be. */
void omen_order (omen_state *s, omen_node a, omen_node b);
/* a before b if b is taken; a is taken then. */
void omen_order_if (omen_state *s, omen_node a, omen_node b);
/* The reads of n must be preserved. */
void omen_activate (omen_state *s, omen_node n);
/* Propagate all consequences; false on conflict. */
bool omen_propagate (omen_state *s);
bool omen_state_valid (const omen_state *s);

/* ---- sections.c ---- */
bool omen_section_counts (const omen_state *s, uint32_t section);
bool omen_sections_conflict (const omen_problem *p, uint32_t a, uint32_t b);
/* a ends before b starts. */
void omen_order_sections (omen_state *s, uint32_t a, uint32_t b);
void omen_check_sections (omen_state *s, omen_node n);

/* ---- reads.c ---- */
/* Read k sees write w (an access or OMEN_PAST). */
void omen_see (omen_state *s, uint32_t k, uint32_t w);
/* The same for a read that must be preserved: if w is an rmw, so must its
   read. */
void omen_choose (omen_state *s, uint32_t k, uint32_t w);
/* Read k, whose write is decided, must be preserved. */
void omen_insist (omen_state *s, uint32_t k);
/* Iterates over the writes that the undecided read k may still see, OMEN_PAST
   included; OMEN_NONE after the last. *at is 0 before the first; the state must
   not change between. */
uint32_t omen_next_candidate (const omen_state *s, uint32_t k, uint32_t *at);
void omen_check_reads (omen_state *s, omen_node n);
void omen_check_writes (omen_state *s, omen_node n);

/* ---- relevant.c ---- */
/* n is relevant (claimed, say). */
void omen_relevant (omen_state *s, omen_node n);
/* n has just been taken. */
void omen_take_relevant (omen_state *s, omen_node n);
/* n has a successor: its reads, if relevant, must be preserved. */
void omen_follow (omen_state *s, omen_node n);
/* All reads of the chain up to `last` are relevant and must be preserved. */
void omen_keep (omen_state *s, omen_node last);

/* ---- needs.c ---- */
bool omen_semaphores_possible (omen_state *s);

#endif
