/* omen watch when the program is over: the finished recordings are put to the
   engine, and what was reported meanwhile becomes verified, unverified or
   refuted. */
#ifndef OMEN_DRIVER_WATCH_END_H
#define OMEN_DRIVER_WATCH_END_H

#include "base/names.h"
#include "predict/predict.h"

#include <stdio.h>

typedef struct omen_watch_end {
  const omen_atomic *atomic;
  double timeout;         /* seconds; 0: none */
  const omen_names *keys; /* of what was reported (omen_online_key) */
  uint8_t *judged;        /* by key: it was in a finished recording */
  unsigned verified, unverified, refuted; /* so far */
  uint64_t races;
} omen_watch_end;

void omen_watch_end_init (omen_watch_end *end, const omen_names *keys,
                          const omen_atomic *atomic, double timeout);
void omen_watch_end_fini (omen_watch_end *end);
/* One recording. False: the message is printed; *code if it is a bug. */
bool omen_watch_judge (omen_watch_end *end, const char *path, int *code);
/* Reports that no finished recording has: how many. */
unsigned omen_watch_lost (const omen_watch_end *end);

#endif
