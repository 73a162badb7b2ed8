/* omen watch --spec: the lattice walked beside the running program.

     omen_watch_spec w;
     omen_watch_spec_init (&w, &request, output, &action);
     omen_watch_spec_look (&w, pid);     again and again; milliseconds to wait
     omen_watch_spec_finish (&w, pid);
     omen_watch_spec_judge (&w, &code);               the program is over
     omen_watch_spec_fini (&w);

   A look takes what the recording has so far for a whole run, which it is as
   far as anybody can tell: a program that is killed now leaves just that. Its
   cuts are walked, level by level, two levels at a time being in memory, and
   each verdict that a run through them reaches is verified and told, once. What
   the look before has walked is past, but for the last few levels: other runs
   may still hold some of their events back.

   The recording is read once, as it grows (online/live.h), and a look is a
   child of the process that makes a whole of what is there (look.h). What is
   past is forgotten meanwhile (recording/events/past.h), but for what is still
   open and what the properties speak of, so a look has at most
   OMEN_WATCH_EVENTS other events in memory, and a walk two levels of them. No
   walk goes on for longer than OMEN_WATCH_SECONDS, and if more comes than can
   be walked, just what the properties speak of is, or some of it is not looked
   at before the end. When the program has ended the whole run is walked. */
#ifndef OMEN_DRIVER_WATCH_SPEC_H
#define OMEN_DRIVER_WATCH_SPEC_H

#include "base/names.h"
#include "driver/watch/action.h"
#include "driver/watch/look.h"
#include "driver/watch/watch.h"
#include "online/live.h"

#define OMEN_WATCH_EVENTS 262144u /* that are not past */
#define OMEN_WATCH_WIDE 65536u    /* of which all runs are walked */
#define OMEN_WATCH_SECONDS 0.25
#define OMEN_WATCH_OVERLAP 4096u /* events, to begin with */

/* One recording. */
typedef struct omen_seen_file {
  char *path;
  omen_live *live;  /* NULL: not opened yet, */
  bool failed;      /* or never again */
  bool over;        /* its end mark is there */
  uint64_t notes;   /* of it, when it was last looked at */
  uint64_t walked;  /* events */
  uint64_t overlap; /* of them, so many are walked again */
} omen_seen_file;

typedef struct omen_watch_spec {
  const omen_watch_request *request;
  const char *output;
  omen_watch_action *action;
  OMEN_VEC (omen_seen_file) files;
  omen_names keys;           /* of the reports told */
  double next;               /* when to look again */
  omen_looking looking;      /* one at a time */
  size_t turn;               /* which recording is the first */
  omen_rebuild_options keep; /* what the properties name */
  bool gap;                  /* more than can be walked; that was said */
  bool bug;                  /* a witness does not verify */
  uint64_t looks, events;    /* walked by them */
  uint64_t bytes, begun;     /* of recordings, read */
  /* the end */
  bool whole; /* all of it is walked once more */
  unsigned findings, reports;
  OMEN_VEC (uint8_t) found; /* by key: the finished recording has it */
} omen_watch_spec;

/* What the properties speak of. */
omen_past_wish omen_watch_spec_wish (const omen_watch_request *request);

void omen_watch_spec_init (omen_watch_spec *watch,
                           const omen_watch_request *request,
                           const char *output, omen_watch_action *action);
void omen_watch_spec_fini (omen_watch_spec *watch);
unsigned omen_watch_spec_look (omen_watch_spec *watch, int pid);
/* The program has ended: a look at what came since the last one, with
   --no-verify or if the run is too long for --whole; else all will be judged.
 */
void omen_watch_spec_finish (omen_watch_spec *watch, int pid);
/* The finished recordings: findings in full, and a summary. *code: the exit
   status, or as it was if there is nothing to tell. */
void omen_watch_spec_judge (omen_watch_spec *watch, int *code);

#endif
