/* omen watch while the program runs: follows its recording (online/follow.h),
   applies SideTrack's rules to the events, and prints each report once.

     omen_online online;
     omen_online_init (&online, "run.omen", &atomic, &action);
     omen_online_look (&online, pid);     again and again; milliseconds to wait
     omen_online_finish (&online);        the program is over
     omen_online_fini (&online);

   A process that the program creates has its own recording, and is watched
   separately. Another analysis of the same events would be one more member of
   omen_watched_process. */
#ifndef OMEN_DRIVER_WATCH_ONLINE_H
#define OMEN_DRIVER_WATCH_ONLINE_H

#include "base/names.h"
#include "base/vec.h"
#include "driver/watch/action.h"
#include "predict/atomic.h"
#include "predict/sidetrack.h"
#include "symbols/lookup.h"
#include "online/follow.h"

/* One recording. */
typedef struct omen_watched_process {
  char *path;
  omen_follow *follow; /* NULL: reading it has failed */
  omen_sidetrack *sidetrack;
  omen_lookup *lookup;
  int pid;
  struct omen_online *online;
} omen_watched_process;

typedef struct omen_online {
  const char *output;
  const omen_atomic *atomic;
  omen_watch_action *action;
  bool discard; /* discard parts of the file that were read */
  OMEN_VEC (omen_watched_process *) watched;
  double searched; /* last search for new recordings */
  unsigned idle;   /* number of consecutive looks without new notes */
  omen_names keys; /* of the reports printed (omen_online_key) */
} omen_online;

void omen_online_init (omen_online *online, const char *output,
                       const omen_atomic *atomic, omen_watch_action *action,
                       bool discard);
void omen_online_fini (omen_online *online);
/* Returns the number of milliseconds to wait before the next look. */
unsigned omen_online_look (omen_online *online, int pid);
void omen_online_finish (omen_online *online, int pid);

/* The key of a report, which is printed once: recording, error, block, and the
   locations of first, culprit and second. */
#define OMEN_ONLINE_KEY 4096
void omen_online_key (char key[OMEN_ONLINE_KEY], const char *path,
                      const char *error, const char *block,
                      const char *const locations[3]);

#endif
