/* A window of a trace as an order problem (solve/problem.h): the events before
   it have happened as observed, its own may be reordered, those after it do not
   happen.

     window positions 4 … 9 of the trace      problem
     events that no rule can separate         left out (thread-local accesses,
                                              marks, locks of one thread)
     all others                               nodes, in the order of the trace
     threads that have a node                 chains

   A solution consists of nodes; omen_window_expand puts the left-out events
   back, each directly before the next node of its thread. So only nodes can be
   asked about: events that will be asked about are named when the window is
   made, and become nodes whatever their kind. Events outside the window never
   do. */
#ifndef OMEN_MODEL_WINDOW_H
#define OMEN_MODEL_WINDOW_H

#include "model/model.h"
#include "solve/solver.h"

/* Events of up to two threads, by index: [from, to); `to` is 0 if unused. */
typedef struct omen_unread {
  struct {
    omen_tid thread;
    uint32_t from, to;
  } range[2];
} omen_unread;

typedef struct omen_window {
  const omen_model *model;
  bool by_value;      /* reads may see equal values of other writes */
  bool sliced;        /* and only relevant reads must be preserved */
  bool blind;         /* what reads see is ignored */
  omen_unread unread; /* what these reads see is ignored */
  uint32_t from, to;  /* positions */
  omen_problem problem;
  uint32_t *atom_of;  /* by atom of the model: number in the problem, NONE */
  omen_eid *event_of; /* by node */
  omen_node *node_of; /* by position - from; OMEN_NONE: left out */
  uint32_t *chain_thread; /* by chain */
  uint32_t *thread_chain; /* by thread, or OMEN_NONE */
  uint32_t *thread_start; /* by thread: index of its first event at or after
                             `from` */
} omen_window;

/* Positions [from, to) of the model. Linear in the window, plus threads, locks
   and the like; the state at `from` costs one walk over what is before. */
omen_window *omen_window_new (const omen_model *model, omen_preserve how,
                              uint32_t from, uint32_t to);
/* As above, but none of these events is left out (those outside are
   ignored). */
omen_window *omen_window_new_asked (const omen_model *model, omen_preserve how,
                                    uint32_t from, uint32_t to,
                                    const omen_eid *asked, size_t count);
/* As above, but what the reads among these events see is ignored: what is then
   FOUND may be no run of the program. */
omen_window *omen_window_new_unread (const omen_model *model, omen_preserve how,
                                     uint32_t from, uint32_t to,
                                     omen_unread unread);
void omen_window_free (omen_window *window);
bool omen_window_valid (const omen_window *window); /* for OMEN_CHECK */

/* Does it hold the whole trace? Then ABSENT in it is a proof. */
static inline bool
omen_window_whole (const omen_window *window)
{
  return window->from == 0 && window->to == window->model->event_count;
}

/* The node of an event, OMEN_NONE if it is left out or outside. */
omen_node omen_window_node (const omen_window *window, omen_eid e);

/* The same constraint in nodes; false if the window cannot express it (the
   writer is before the window but not the last one there, or either is
   outside). */
bool omen_window_rf (const omen_window *window, omen_eid read, omen_eid writer,
                     uint32_t atom, omen_rf_constraint *rf);

/* A solution as a sequence of events: all events before the window, then the
   nodes with the left-out events of their threads; at the end, for each of
   `next`, the left-out events before it. Appended to `events`. */
void omen_window_expand (const omen_window *window, const omen_node *sequence,
                         uint32_t count, const omen_eid *next, uint32_t nexts,
                         omen_ids *events);
/* As above, without the events before the window. */
void omen_window_expand_own (const omen_window *window,
                             const omen_node *sequence, uint32_t count,
                             const omen_eid *next, uint32_t nexts,
                             omen_ids *events);

/* Append the left-out events at the ends of the threads, when all others are in
   `events`. */
void omen_window_finish (const omen_window *window, omen_ids *events);

#endif
