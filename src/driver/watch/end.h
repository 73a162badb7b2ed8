/* omen watch after the program has ended: the engine judges the reports on the
   finished recordings as verified, unverified or refuted. */
#ifndef OMEN_DRIVER_WATCH_END_H
#define OMEN_DRIVER_WATCH_END_H

#include "base/names.h"
#include "predict/predict.h"

#include <stdio.h>

typedef struct omen_watch_end {
  const omen_atomic *atomic;
  double timeout;         /* seconds; 0: none */
  const omen_names *keys; /* of the reports (omen_online_key) */
  uint8_t *judged;        /* by key: found in a finished recording */
  unsigned verified, unverified, refuted; /* so far */
  uint64_t races;
} omen_watch_end;

void omen_watch_end_init (omen_watch_end *end, const omen_names *keys,
                          const omen_atomic *atomic, double timeout);
void omen_watch_end_fini (omen_watch_end *end);
/* Analyses one recording. False: a message was printed; *code is OMEN_EXIT_BUG
   if it was an internal error. */
bool omen_watch_judge (omen_watch_end *end, const char *path, int *code);
/* The number of reports that are in no finished recording. */
unsigned omen_watch_lost (const omen_watch_end *end);

#endif
