/* The plan of a replay (replay.h), parsed. */
#ifndef OMEN_RUNTIME_SCHED_REPLAY_PLAN_H
#define OMEN_RUNTIME_SCHED_REPLAY_PLAN_H

#include "base/defs.h"

typedef enum omen_plan_end {
  OMEN_END_FREE,   /* all threads run */
  OMEN_END_SERIAL, /* one after the other */
  OMEN_END_EXIT,   /* the program ends here */
  OMEN_END_STOP,   /* for a debugger */
  OMEN_END_EXPLORE /* as serial, and time-outs expire without waiting
                      (explore.h) */
} omen_plan_end;

typedef struct omen_turn {
  const char *path; /* in the text of the plan */
  size_t length;
  uint64_t until; /* items in all, or one of the values above */
} omen_turn;

#define OMEN_TURN_BLOCKED UINT64_MAX     /* until it waits */
#define OMEN_TURN_ENDED (UINT64_MAX - 1) /* until it has ended */

/* A signal handler begins when the thread has done that many items. */
typedef struct omen_signal_turn {
  const char *path;
  size_t length;
  uint64_t item, number;
  bool sent;
} omen_signal_turn;

/* A timed wait that runs out, whoever notifies it, when the thread has done
   that many items. */
typedef struct omen_expiry {
  const char *path;
  size_t length;
  uint64_t item;
} omen_expiry;

typedef struct omen_forced_plan {
  const char *path;    /* of its file */
  uint64_t process;    /* hash, or one of these */
  uint64_t number;     /* which of the processes with that hash */
  uint64_t spin_limit; /* ms of processor time; 0: no limit */
  bool keeps;          /* freed blocks */
  omen_turn *turns;
  size_t count;
  omen_signal_turn *signals; /* of each thread in order */
  size_t signal_count;
  omen_expiry *expiries; /* of each thread in order */
  size_t expiry_count;
  omen_plan_end end;
} omen_forced_plan;

#define OMEN_PLAN_EVERYONE 0 /* no line `process` */
#define OMEN_PLAN_ANYONE UINT64_MAX

extern omen_forced_plan omen_replay_plan;

/* False: it cannot be read. The text stays mapped, since paths point into
   it. */
bool omen_plan_read (const char *path);
/* The same for text in memory. Allocates as many entries of each kind as lines
   of the least length fit into the text. */
bool omen_plan_parse (const char *text, size_t size);

enum { OMEN_PLAN_LEAST_LINE = 8 };

#endif
