/* The engine: one question, asked by every detector. Given events to be next,
   to be in, to be last, orders to hold, is there a reordering of the trace?

     omen_window *window = omen_window_new (model, by_value, from, to);
     omen_engine *engine = omen_engine_new (window, &options);
     omen_question q = { .next = { a, b }, .nexts = 2 };       a race
     if (omen_engine_ask (engine, &q, &answer) == OMEN_FOUND)
       answer.events is the reordering, for a witness

   FOUND comes with the reordering. ABSENT is a proof, about the whole trace:
   what a window does not allow may still be possible beyond it, so that is
   UNKNOWN, as is a question about events that the window does not have. UNKNOWN
   otherwise says that the budget ran out. An engine belongs to one thread; the
   window is shared. doc/engine.md tells how it works. */
#ifndef OMEN_MODEL_ENGINE_H
#define OMEN_MODEL_ENGINE_H

#include "model/window.h"
#include "solve/solver.h"

typedef struct omen_engine_options {
  bool z3_only;       /* every question to Z3 */
  omen_budget budget; /* of the native search */
  bool states_first; /* look at all states, where they tell, without a search */
  double z3_seconds; /* then Z3 for so long; 0: not at all */
} omen_engine_options;

/* Read `read` sees, in this atom of the model, `writer` (OMEN_NONE: the initial
   write), whatever it saw in the trace. */
typedef struct omen_seen {
  omen_eid read, writer;
  uint32_t atom;
} omen_seen;

/* Event ids. The node-level meaning is that of omen_query. */
typedef struct omen_question {
  const omen_eid *next;
  uint32_t nexts;
  const omen_eid *take;
  uint32_t takes;
  const omen_eid *order; /* pairs: order[2i] before order[2i + 1] */
  uint32_t orders;       /* pairs */
  /* Pairs, in `take` and `order` too: the second right after the first. For
     events of different threads that wait for nobody. */
  const omen_eid *together;
  uint32_t togethers; /* pairs */
  const omen_eid *last;
  uint32_t lasts;
  const omen_eid *without;
  uint32_t withouts;
  const omen_seen *rf;
  uint32_t rf_count;
  bool whole; /* all events, all reads preserved */
  /* In `take` too: their reads are preserved, the last of a thread too. */
  const omen_eid *kept;
  uint32_t kepts;
  /* Waits whose threads no notify may have to wake (asleep.h). All threads that
     use their conditions end where `last` and `without` say. */
  const omen_eid *asleep;
  uint32_t asleeps;
  /* Not in synchronised order: order race of avoid[0] and avoid[1]. */
  bool has_avoid;
  omen_eid avoid[2];
} omen_question;

typedef struct omen_engine_stats {
  uint64_t asked, found, absent, unknown;
  uint64_t stage[OMEN_STAGES];
  double seconds[OMEN_STAGES];
  uint64_t decisions;
} omen_engine_stats;

typedef struct omen_engine_answer {
  omen_stage stage;
  bool beyond; /* UNKNOWN: a larger window might tell */
  uint64_t decisions;
  omen_ids events; /* FOUND: the reordering; free with OMEN_VEC_FINI */
} omen_engine_answer;

typedef struct omen_engine omen_engine;

/* The window must outlive the engine; many engines may share it. */
omen_engine *omen_engine_new (const omen_window *window,
                              const omen_engine_options *options);
void omen_engine_free (omen_engine *engine);
omen_verdict omen_engine_ask (omen_engine *engine, const omen_question *q,
                              omen_engine_answer *answer);
/* The choices of the nondeterminism paper (solver.h); OMEN_NONE: refuted, or
   not in the window. */
uint32_t omen_engine_choices (omen_engine *engine, const omen_question *q);
const omen_engine_stats *omen_engine_counts (const omen_engine *engine);
void omen_engine_stats_add (omen_engine_stats *sum,
                            const omen_engine_stats *more);

#endif
