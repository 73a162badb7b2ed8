/* omen watch while the program runs: its recording is followed
   (online/follow.h), SideTrack's rules look at the events, and each report is
   told once.

     omen_online online;
     omen_online_init (&online, "run.omen", &atomic, &action);
     omen_online_look (&online, pid);     again and again; milliseconds to wait
     omen_online_finish (&online);        the program is over
     omen_online_fini (&online);

   A process that the program makes has a recording of its own, and is watched
   by itself. Another analysis of the same events would be one more member of
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
  omen_follow *follow; /* NULL: it cannot be read any more */
  omen_sidetrack *sidetrack;
  omen_lookup *lookup;
  int pid;
  struct omen_online *online;
} omen_watched_process;

typedef struct omen_online {
  const char *output;
  const omen_atomic *atomic;
  omen_watch_action *action;
  bool discard; /* give back what has been read */
  OMEN_VEC (omen_watched_process *) watched;
  double looked;   /* when new recordings were last looked for */
  unsigned idle;   /* looks in a row that found nothing new */
  omen_names keys; /* of the reports told, see omen_online_key */
} omen_online;

void omen_online_init (omen_online *online, const char *output,
                       const omen_atomic *atomic, omen_watch_action *action,
                       bool discard);
void omen_online_fini (omen_online *online);
/* How many milliseconds to wait before the next look. */
unsigned omen_online_look (omen_online *online, int pid);
void omen_online_finish (omen_online *online, int pid);

/* What makes two reports the same: recording, error, block, the locations of
   first, culprit and second. */
#define OMEN_ONLINE_KEY 4096
void omen_online_key (char key[OMEN_ONLINE_KEY], const char *path,
                      const char *error, const char *block,
                      const char *const locations[3]);

#endif
