/* The engine answers the question that all detectors ask: is there a reordering
   of the trace in which given events are next, included or last, and given
   orders hold?

     omen_window *window = omen_window_new (model, by_value, from, to);
     omen_engine *engine = omen_engine_new (window, &options);
     omen_question q = { .next = { a, b }, .nexts = 2 };       a race
     if (omen_engine_ask (engine, &q, &answer) == OMEN_FOUND)
       answer.events is the reordering, for a witness

   FOUND comes with the reordering. ABSENT is a proof for the whole trace.
   UNKNOWN: the window does not allow it, but a larger one might; or the
   question names an event that the window does not have; or the budget ran out.
   An engine belongs to one thread; the window is shared. See doc/engine.md. */
#ifndef OMEN_MODEL_ENGINE_H
#define OMEN_MODEL_ENGINE_H

#include "model/window.h"
#include "solve/solver.h"

typedef struct omen_engine_options {
  bool z3_only;       /* every question to Z3 */
  omen_budget budget; /* of the native search */
  bool states_first; /* where sufficient, enumerate the states before any search
                      */
  double z3_seconds; /* time limit of Z3, asked last; 0: do not ask it */
} omen_engine_options;

/* In this atom of the model, `read` must see `writer` (OMEN_NONE: the initial
   write), whatever it saw in the trace. */
typedef struct omen_seen {
  omen_eid read, writer;
  uint32_t atom;
} omen_seen;

/* A question, in event ids. The fields mean what they mean in omen_query. */
typedef struct omen_question {
  const omen_eid *next;
  uint32_t nexts;
  const omen_eid *take;
  uint32_t takes;
  const omen_eid *order; /* pairs: order[2i] before order[2i + 1] */
  uint32_t orders;       /* pairs */
  /* Pairs, also in `take` and `order`: the second comes right after the first.
     For events of different threads that never block. */
  const omen_eid *together;
  uint32_t togethers; /* pairs */
  const omen_eid *last;
  uint32_t lasts;
  const omen_eid *without;
  uint32_t withouts;
  const omen_seen *rf;
  uint32_t rf_count;
  bool whole; /* all events, all reads preserved */
  /* Also in `take`: their reads are preserved, even the last of a thread. */
  const omen_eid *kept;
  uint32_t kepts;
  /* Waits whose threads must stay blocked (asleep.h). `last` and `without` fix
     how far all threads that use their conditions run. */
  const omen_eid *asleep;
  uint32_t asleeps;
  /* Order race: avoid[0] and avoid[1] must not be in synchronised order. */
  bool has_avoid;
  omen_eid avoid[2];
} omen_question;

/* The question whether two accesses race. If one is a compare-exchange that has
   to succeed, it comes right after the other one, with its read preserved: then
   the answer is to be cut in front of the event that is returned, else
   OMEN_NONE. `room` must live as long as the question. */
omen_eid omen_question_race (const omen_model *model, const omen_eid events[2],
                             omen_eid room[2], omen_question *q);
/* Cut the sequence off in front of the event, which it has. */
void omen_sequence_cut (omen_ids *sequence, omen_eid e);

typedef struct omen_engine_stats {
  uint64_t asked, found, absent, unknown;
  uint64_t stage[OMEN_STAGES];
  double seconds[OMEN_STAGES];
  uint64_t decisions;
} omen_engine_stats;

typedef struct omen_engine_answer {
  omen_stage stage;
  bool beyond; /* UNKNOWN: a larger window might decide it */
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
