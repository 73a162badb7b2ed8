/* Hangs: threads that all wait, for locks, threads, conditions, semaphores or
   barriers, so that none can continue (the claim `stuck` of doc/semantics.md).
   Cycles of lock requests alone are found in deadlock.c.

     points   where each thread can stop: what it asks for there, or its end
     cycles   few threads that wait for locks and threads only, closed
     all      one point for each thread, at least one of them for something
              else; a thread without one has ended or is not forked
     ask      can threads come that far? The engine is asked


   How many events each thread has executed determines nearly all: which thread
   holds which lock, the counts of semaphores, which rounds are complete. Only
   for conditions the order matters, too: see model/asleep.h. */
#ifndef OMEN_PREDICT_STANDSTILL_H
#define OMEN_PREDICT_STANDSTILL_H

#include "base/map.h"
#include "model/quick.h"
#include "predict/predict.h"

typedef enum omen_stop_reason {
  OMEN_STOP_LOCK,
  OMEN_STOP_THREAD,
  OMEN_STOP_CONDITION, /* or for the lock to be reacquired */
  OMEN_STOP_SEMAPHORE,
  OMEN_STOP_BARRIER
} omen_stop_reason;

/* A thread that has executed its first `cut` events and waits for what `event`
   names: its next event, or the last executed one. */
typedef struct omen_stop {
  uint32_t cut;
  omen_eid event;
  uint8_t reason;  /* omen_stop_reason */
  bool shared;     /* read mode, or unknown: only writers block it */
  bool limited;    /* OMEN_STOP_CONDITION: with a time limit */
  uint32_t lock;   /* that may block it, or OMEN_NONE */
  uint32_t object; /* thread, semaphore, or round of a barrier */
} omen_stop;

typedef OMEN_VEC (omen_stop) omen_stops;

typedef struct omen_standstill {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_predict_stats *stats;
  omen_stops *stops; /* by thread, by cut */
  bool *ends;        /* by thread: its end was seen */
  omen_eid *fork;    /* by thread: its fork, or OMEN_NONE */
  omen_quick *quick; /* made when needed */
  omen_map *seen;    /* hash of locations: one report for each */
  bool closed;       /* during the search for closed sets */
  struct omen_standstill_view *view;       /* the window of the last question */
  struct omen_standstill_signals *signals; /* by thread; made when needed */
  omen_deadline deadline;
  bool go_on;
} omen_standstill;

/* `seen` has the keys of earlier reports. False: the sink said stop. */
bool omen_predict_standstill (const omen_model *model,
                              const omen_predict_options *options,
                              const omen_sink *sink, omen_predict_stats *stats,
                              omen_map *seen);
/* A key of the events' locations; core_only: only of those at conditions,
   semaphores and barriers. */
uint64_t omen_standstill_key (const omen_model *model, const omen_eid *events,
                              uint32_t count, bool core_only);

/* ---- standstill/points.c ---- */
void omen_standstill_points (omen_standstill *s);
/* The locks that thread t holds after `cut` events, as a set of the model. */
uint32_t omen_standstill_set (const omen_standstill *s, omen_tid t,
                              uint32_t cut);
/* Does a thread with this set of locks block the stop's lock? */
bool omen_standstill_keeps (const omen_standstill *s, uint32_t set,
                            const omen_stop *stop);
/* Remove stops for locks that no other thread holds at a stop or at its end,
   and for joins of threads without stops. */
void omen_standstill_prune (omen_standstill *s);

/* ---- standstill/cycles.c ---- */
void omen_standstill_cycles (omen_standstill *s);

/* ---- standstill/woken.c ---- */
/* How many events a thread has executed. */
typedef struct omen_pin {
  omen_tid thread;
  uint32_t cut;
  const omen_stop *stop; /* NULL: the thread has ended, or not begun */
} omen_pin;

/* All threads are at these points (by thread). Must a notify wake one of the
   `asleep` waits in every such reordering? A no proves nothing. */
bool omen_standstill_must_wake (omen_standstill *s, const omen_pin *pins,
                                const omen_ids *asleep);
void omen_standstill_woken_end (omen_standstill *s);

/* ---- standstill/ask.c ---- */
/* Can these threads be at these points (the others anywhere), with the waits in
   `asleep` never notified? FOUND: the sequence. */
omen_verdict omen_standstill_ask (omen_standstill *s, const omen_pin *pins,
                                  uint32_t count, const omen_eid *asleep,
                                  uint32_t asleeps, omen_ids *sequence);
void omen_standstill_ask_end (omen_standstill *s);
/* Report a hang, unless one with the same lines was reported. */
void omen_standstill_report (omen_standstill *s, const omen_pin *pins,
                             uint32_t count, omen_ids *sequence);
/* Was a hang with the same lines reported? */
bool omen_standstill_known (omen_standstill *s, const omen_pin *pins,
                            uint32_t count);

#endif
