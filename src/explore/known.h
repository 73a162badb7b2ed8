/* What the runs so far have shown: is there one in which each of these threads
   began so? Runs are numbered as they are added.

   Memory: 8 bytes an observation of a run, 16 one that is new. */
#ifndef OMEN_EXPLORE_KNOWN_H
#define OMEN_EXPLORE_KNOWN_H

#include "explore/history.h"
#include "base/archive.h"

/* A thread, by its name, and its past; of count 0: it need not be there. */
typedef struct omen_beginning {
  uint64_t name;
  omen_observed past;
} omen_beginning;

typedef struct omen_known omen_known;

omen_known *omen_known_new (void);
void omen_known_free (omen_known *known);
/* Returns what omen_known_end says of it. */
uint64_t omen_known_add (omen_known *known, const omen_histories *run);
/* A number for the behaviour: how all threads ended. */
uint64_t omen_known_end (const omen_histories *run);
bool omen_known_has (const omen_known *known, const omen_beginning *threads,
                     uint32_t count);
/* Has some run ended with exactly these pasts of its threads? */
bool omen_known_ended (const omen_known *known, const omen_beginning *threads,
                       uint32_t count);
/* Reading: into a new one. */
void omen_known_archive (omen_known *known, omen_archive *archive);
uint32_t omen_known_behaviours (const omen_known *known);

#endif
