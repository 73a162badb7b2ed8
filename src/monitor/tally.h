/* The counts of monitors inside a program: a file that omen monitor makes and
   the program maps, so that it is up to date whenever the program ends.

     omen_tally { spec, formulas, cuts, queue }  rows[formulas]  seen[cuts]

   A row is a formula, a byte of `seen` a pointcut; both in the order of the
   property file. Counts of several processes add up. */
#ifndef OMEN_MONITOR_TALLY_H
#define OMEN_MONITOR_TALLY_H

#include "monitor/symbol_queue.h"
#include "monitor/property.h"

#define OMEN_TALLY_MAGIC 0x796c6c6174u /* "tally" */

typedef struct omen_tally_row {
  /* as in omen_slicer_counts, added when a process ends */
  uint64_t events, created, live, collected;
  /* added at once */
  uint64_t verdicts[OMEN_CATEGORIES_MAX];
} omen_tally_row;

typedef struct omen_tally {
  uint64_t magic;
  uint64_t spec;           /* hash of the property file */
  uint32_t formulas, cuts; /* of all its properties */
  uint32_t started, ended; /* processes */
  uint32_t stale;          /* objects that were woven for another version */
  uint32_t unused;
  uint64_t lost; /* events: no memory, or in a signal handler */
  omen_symbol_queue queue;
  omen_tally_row rows[];
} omen_tally;

/* Of a byte of `seen`. */
enum {
  OMEN_SEEN_WOVEN = 1, /* it is in the program */
  OMEN_SEEN_HOOKED = 2 /* the program calls a library function that it names */
};

static inline size_t
omen_tally_bytes (uint32_t formulas, uint32_t cuts)
{
  return sizeof (omen_tally) + formulas * sizeof (omen_tally_row) + cuts;
}

static inline uint8_t *
omen_tally_seen (omen_tally *tally)
{
  return (uint8_t *)&tally->rows[tally->formulas];
}

#endif
