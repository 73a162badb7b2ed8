/* One look at what a recording has, in a child of the process: what it does to
   the recording's state, and the memory that it takes, end with it.

     parent   omen_live: what is certain          child   … and the rest, sealed
              reads on, tells <--- reports, outcome ----- walked, verified

   Runs in which all is as it was but what the properties speak of are walked
   first (online/projection.h): they are few, so there is always time for them.
 */
#ifndef OMEN_DRIVER_WATCH_LOOK_H
#define OMEN_DRIVER_WATCH_LOOK_H

#include "driver/watch/report.h"
#include "driver/watch/watch.h"
#include "base/names.h"
#include "model/model.h"
#include "predict/predict.h"
#include "online/live.h"

/* What was seen. */
typedef struct omen_look_outcome {
  bool done;       /* there was a trace, and it was walked */
  bool wide;       /* all runs of it, not just those of what is spoken of */
  bool undecided;  /* not to their end */
  bool bug;        /* a witness does not verify */
  uint64_t told;   /* events, with those that are forgotten */
  uint64_t events; /* walked */
  double seconds;  /* the walk took */
} omen_look_outcome;

typedef struct omen_look {
  const omen_watch_request *request;
  const char *path;
  bool first; /* of the process that was started */
  bool late;  /* more waits already */
  int pid;
  const omen_names *keys; /* of reports that were told */
  /* each new report, in the parent */
  void (*report) (void *context, const omen_watch_report *report);
  void *context;
} omen_look;

/* A look that has begun. */
typedef struct omen_looking {
  omen_look look;
  pid_t child; /* 0: there is none */
  int from;    /* a pipe */
  double start;
  omen_look_outcome outcome;
} omen_looking;

/* False: there can be none now. */
bool omen_look_begin (omen_looking *looking, const omen_look *look,
                      omen_live *live);
/* Tells what there is to tell. True: it is over, and the outcome is there. */
bool omen_look_end (omen_looking *looking, bool wait);

/* The walk itself, for findings of all properties. `last`: of the finished
   trace, with all figures. */
void omen_look_walk (const omen_watch_request *request, const omen_trace *trace,
                     const omen_model *model, bool last, const omen_sink *sink,
                     omen_predict_stats *stats);

#endif
