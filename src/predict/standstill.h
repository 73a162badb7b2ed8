/* Hangs: threads that all wait, for locks, threads, conditions, semaphores and
   barriers, so that none of them goes on (the claim `stuck` of
   doc/semantics.md). Cycles of lock requests alone are deadlock.c's.

     points   where each thread can stop: what it asks for there, or its end
     cycles   few threads that wait for locks and threads only, closed
     all      one point for each thread, of which one at least is for something
              else; who is not there has ended or is not forked
     ask      can threads come that far? The engine is asked

   How far the threads are decides nearly all: who holds which lock, the counts
   of semaphores, which rounds are complete. Only of conditions the order
   matters, too: see model/asleep.h. */
#ifndef OMEN_PREDICT_STANDSTILL_H
#define OMEN_PREDICT_STANDSTILL_H

#include "base/map.h"
#include "model/quick.h"
#include "predict/predict.h"

typedef enum omen_stop_reason {
  OMEN_STOP_LOCK,
  OMEN_STOP_THREAD,
  OMEN_STOP_CONDITION, /* or its lock */
  OMEN_STOP_SEMAPHORE,
  OMEN_STOP_BARRIER
} omen_stop_reason;

/* A thread that has done its first `cut` events and waits for what `event`
   says: the next one, or the one before. */
typedef struct omen_stop {
  uint32_t cut;
  omen_eid event;
  uint8_t reason;  /* omen_stop_reason */
  bool shared;     /* the lock is wanted in a mode that readers do not block, or
                      it is not known in which */
  bool limited;    /* OMEN_STOP_CONDITION: with a limit of time */
  uint32_t lock;   /* that keeps it, too, or OMEN_NONE */
  uint32_t object; /* thread, semaphore, or round of a barrier */
} omen_stop;

typedef OMEN_VEC (omen_stop) omen_stops;

typedef struct omen_standstill {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
  omen_predict_stats *stats;
  omen_stops *stops;                 /* by thread, by cut */
  bool *ends;                        /* by thread: its end is known */
  omen_eid *fork;                    /* by thread, or OMEN_NONE */
  omen_quick *quick;                 /* made when first needed */
  omen_map *seen;                    /* hash of locations: one report each */
  bool closed;                       /* it is about closed sets */
  struct omen_standstill_view *view; /* the window asked last */
  omen_deadline deadline;
  bool go_on;
} omen_standstill;

/* `seen` has the keys of what was reported before. False: the sink said
   stop. */
bool omen_predict_standstill (const omen_model *model,
                              const omen_predict_options *options,
                              const omen_sink *sink, omen_predict_stats *stats,
                              omen_map *seen);
/* By the locations of the events; core_only: of those that are for conditions,
   semaphores and barriers. */
uint64_t omen_standstill_key (const omen_model *model, const omen_eid *events,
                              uint32_t count, bool core_only);

/* ---- standstill_points.c ---- */
void omen_standstill_points (omen_standstill *s);
/* The set of locks that thread t holds after so many of its events. */
uint32_t omen_standstill_set (const omen_standstill *s, omen_tid t,
                              uint32_t cut);
/* Does the set keep who is at the stop from its lock? */
bool omen_standstill_keeps (const omen_standstill *s, uint32_t set,
                            const omen_stop *stop);
/* Leave out stops for locks that no other thread keeps at a stop of its own or
   when it has ended, and joins of threads that have no stop. */
void omen_standstill_prune (omen_standstill *s);

/* ---- standstill_cycles.c ---- */
void omen_standstill_cycles (omen_standstill *s);

/* ---- standstill_ask.c ---- */
/* How far one thread is. */
typedef struct omen_pin {
  omen_tid thread;
  uint32_t cut;
  const omen_stop *stop; /* NULL: it has ended, or has not begun */
} omen_pin;

/* Can the threads be so far, all others being anywhere, and those at a
   condition whose lock is free asleep for good? FOUND: the sequence. */
omen_verdict omen_standstill_ask (omen_standstill *s, const omen_pin *pins,
                                  uint32_t count, const omen_eid *asleep,
                                  uint32_t asleeps, omen_ids *sequence);
void omen_standstill_ask_end (omen_standstill *s);
/* Report what was found, unless a report of the same lines was made. */
void omen_standstill_report (omen_standstill *s, const omen_pin *pins,
                             uint32_t count, omen_ids *sequence);
/* Was one of the same lines reported? */
bool omen_standstill_known (omen_standstill *s, const omen_pin *pins,
                            uint32_t count);

#endif
