/* One look at the current state of a recording, in a forked child, so that its
   memory and its changes to the recording's state end with the child.

     parent   omen_live: what is certain          child   … and the rest, sealed
              reads on, prints <-- reports, outcome ----- walked, verified

   First it walks the runs in which everything that the properties do not use is
   as recorded (online/projection.h): they are few, so there is always time for
   them. */
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
  bool done;        /* a trace was read, and walked */
  bool wide;        /* all runs, not only those of the projection */
  bool undecided;   /* not to their end */
  bool bug;         /* a witness does not verify */
  uint64_t emitted; /* events emitted, including forgotten ones */
  uint64_t events;  /* walked */
  double seconds;   /* the walk took */
} omen_look_outcome;

typedef struct omen_look {
  const omen_watch_request *request;
  const char *path;
  bool first; /* a recording of the process that was started */
  bool late;  /* more notes are waiting */
  int pid;
  const omen_names *keys; /* of reports that were printed */
  /* called for each new report, in the parent */
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

/* False: no child could be started. */
bool omen_look_begin (omen_looking *looking, const omen_look *look,
                      omen_live *live);
/* Passes on the reports that have arrived. True: the look has ended, and the
   outcome is set. */
bool omen_look_end (omen_looking *looking, bool wait);

/* Walks the lattice for all properties. `last`: on the finished trace, with all
   statistics. */
void omen_look_walk (const omen_watch_request *request, const omen_trace *trace,
                     const omen_model *model, bool last, const omen_sink *sink,
                     omen_predict_stats *stats);

#endif
