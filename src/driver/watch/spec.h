/* omen watch --spec: walks the lattice while the program runs.

     omen_watch_spec w;
     omen_watch_spec_init (&w, &request, output, &action);
     omen_watch_spec_look (&w, pid);     again and again; milliseconds to wait
     omen_watch_spec_finish (&w, pid);
     omen_watch_spec_judge (&w, &code);               the program is over
     omen_watch_spec_fini (&w);

   A look treats the recording so far as a complete run, which it would be if
   the program were killed now. It walks the cuts, level by level, with two
   levels in memory; each verdict that some run through them reaches is verified
   and reported, once. What the previous look has walked is past, except for the
   last events (the overlap), some of which other runs may still delay.

   The recording is read once, while it grows (online/live.h); a look is a
   forked child that makes a trace of what was read (look.h). Past events are
   forgotten (recording/events/past.h), except for those with open effects and
   those that the properties use. So a look has at most OMEN_WATCH_EVENTS other
   events in memory, and a walk two levels of them. A walk is limited to
   OMEN_WATCH_SECONDS; if more events come than can be walked, only those that
   the properties use are, or some are not walked before the end. After the
   program has ended, the whole run is walked. */
#ifndef OMEN_DRIVER_WATCH_SPEC_H
#define OMEN_DRIVER_WATCH_SPEC_H

#include "base/names.h"
#include "driver/watch/action.h"
#include "driver/watch/look.h"
#include "driver/watch/watch.h"
#include "online/live.h"

#define OMEN_WATCH_EVENTS 262144u /* of events that are not past */
#define OMEN_WATCH_WIDE 65536u    /* of events, to walk all runs */
#define OMEN_WATCH_SECONDS 0.25
#define OMEN_WATCH_OVERLAP 4096u /* initial number of events */

/* One recording. */
typedef struct omen_seen_file {
  char *path;
  omen_live *live;  /* NULL: not open yet, or failed */
  bool failed;      /* it cannot be opened or read again */
  bool over;        /* it has its end mark */
  uint64_t notes;   /* number of notes at the last look */
  uint64_t walked;  /* events */
  uint64_t overlap; /* number of them to walk again */
} omen_seen_file;

typedef struct omen_watch_spec {
  const omen_watch_request *request;
  const char *output;
  omen_watch_action *action;
  OMEN_VEC (omen_seen_file) files;
  omen_names keys;           /* of the reports printed */
  double next;               /* when to look again */
  omen_looking looking;      /* one at a time */
  size_t turn;               /* the recording to begin with */
  omen_rebuild_options keep; /* what the properties name */
  bool gap;                  /* it was warned that some runs are left out */
  bool bug;                  /* a witness does not verify */
  uint64_t looks, events;    /* walked by them */
  uint64_t bytes, begun;     /* of recordings, read */
  /* the end */
  bool whole; /* walk all of it once more */
  unsigned findings, reports;
  OMEN_VEC (uint8_t) found; /* by key: in the finished recording */
} omen_watch_spec;

/* The filter of events that the properties use. */
omen_past_filter omen_watch_spec_filter (const omen_watch_request *request);

void omen_watch_spec_init (omen_watch_spec *watch,
                           const omen_watch_request *request,
                           const char *output, omen_watch_action *action);
void omen_watch_spec_fini (omen_watch_spec *watch);
unsigned omen_watch_spec_look (omen_watch_spec *watch, int pid);
/* Called after the program has ended: looks at what came since the last look,
   with --no-verify or if the run is too long for --whole; otherwise _judge
   walks everything. */
void omen_watch_spec_finish (omen_watch_spec *watch, int pid);
/* Prints the findings on the finished recordings in full, and a summary. *code
   is set if there are findings or errors. */
void omen_watch_spec_judge (omen_watch_spec *watch, int *code);

#endif
