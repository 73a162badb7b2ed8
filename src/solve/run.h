/* A run: try to put the taken nodes into a sequence, as close to the observed
   order as the partial order and the rules allow. It either ends with all of
   them, which is a solution, or is stuck at nodes whose predecessors have run
   but which a rule blocks; that rule names a choice that is still open. */
#ifndef OMEN_SOLVE_RUN_H
#define OMEN_SOLVE_RUN_H

#include "solve/state.h"

/* One alternative of a choice. What a and b are depends on the kind. */
typedef enum omen_choice_kind {
  OMEN_CHOICE_ORDER,    /* node a before node b */
  OMEN_CHOICE_ORDER_IF, /* node a before node b if b is taken */
  OMEN_CHOICE_SECTIONS, /* section a before section b */
  OMEN_CHOICE_WRITER,   /* read a sees write b */
  OMEN_CHOICE_SERVER,   /* need a is served by provider b */
  OMEN_CHOICE_TOKEN,    /* down a (a count) uses up b or OMEN_PAST */
  OMEN_CHOICE_HOST,     /* inside a lies in section b */
  OMEN_CHOICE_WITH,     /* node a is taken */
  OMEN_CHOICE_WITHOUT   /* node a is not taken */
} omen_choice_kind;
typedef struct omen_choice {
  omen_choice_kind kind;
  uint32_t a, b;
} omen_choice;
typedef OMEN_VEC (omen_choice) omen_choices;

typedef struct omen_linear {
  const omen_state *s;
  uint32_t *done;       /* by chain */
  uint32_t *last_write; /* by atom: access or OMEN_PAST */
  uint8_t *tainted;     /* by atom: last write is of an rmw not preserved */
  uint32_t *pending;    /* by atom: reads yet to come that see last_write;
                           OMEN_NONE: not counted yet */
  uint32_t *holder;     /* by resource: exclusive section, or OMEN_NONE */
  uint32_t *sharers;    /* by resource */
  int32_t *count;       /* by semaphore */
  uint32_t *place;      /* by node: position in the sequence */
  uint8_t *used;        /* by provider */
  omen_ids past_sections;
  omen_ids sequence;
} omen_linear;

void omen_run_init (omen_linear *run, const omen_state *s);
void omen_run_fini (omen_linear *run);
/* True: run->sequence is a solution (except for the needs of targets). False:
   the choices appended are alternatives; every solution agrees with one. */
bool omen_run_try (omen_linear *run, omen_choices *choices);
/* Serve the need by a provider, which is then used up unless it serves many.
   After the whole sequence also for the needs of targets, one by one, since
   targets must be enabled together. False: no provider is left. */
bool omen_run_serve (omen_linear *run, uint32_t need);

/* ---- choices.c: choices when the run is stuck at node n ---- */
void omen_choices_section (const omen_linear *run, omen_node n,
                           omen_choices *choices);
void omen_choices_inside (const omen_linear *run, omen_node n,
                          omen_choices *choices);
void omen_choices_need (const omen_state *s, uint32_t need,
                        omen_choices *choices);
void omen_choices_count (const omen_linear *run, omen_node n,
                         omen_choices *choices);
void omen_choices_read (const omen_linear *run, uint32_t k,
                        omen_choices *choices);
void omen_choices_write (const omen_linear *run, uint32_t k,
                         omen_choices *choices);
void omen_choice_apply (omen_state *s, omen_choice choice);
/* The choice has been refuted: add what follows from that, if anything does. */
void omen_choice_exclude (omen_state *s, omen_choice choice);

#endif
