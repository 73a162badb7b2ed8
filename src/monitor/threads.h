/* The words of a machine of the engine "threads": patterns, whose steps name
   threads and regions.

     header        below
     alternatives  alternatives x parts: the start of each part, or OMEN_NONE
     nodes         nodes x 2: index of its first edge; OMEN_THREADS_* flags
     edges         edges x 4: event; thread name or OMEN_NONE; region and what
                   happens to it, or OMEN_NONE; node that it leads to
     lands         nodes x omen_lands_words, as in table.h

   An alternative matches when all of its parts have come to an end, with one
   thread for each name and different threads for different names. */
#ifndef OMEN_MONITOR_THREADS_H
#define OMEN_MONITOR_THREADS_H

#include "monitor/machine.h"

enum {
  OMEN_THREADS_EVENTS,
  OMEN_THREADS_PARAMETERS,
  OMEN_THREADS_MATCH, /* bits of categories */
  OMEN_THREADS_ALTERNATIVES,
  OMEN_THREADS_PARTS, /* of the alternative with most */
  OMEN_THREADS_NODES,
  OMEN_THREADS_EDGES,
  OMEN_THREADS_NAMES,     /* of threads */
  OMEN_THREADS_REGIONS,   /* names of regions */
  OMEN_THREADS_BEGINS,    /* events that begin regions: 2 words of bits */
  OMEN_THREADS_ENDS = 11, /* … and end them */
  OMEN_THREADS_FIRST = 13 /* the first word of `alternatives` */
};

/* Flags of a node. */
enum {
  OMEN_THREADS_WAITS = 1, /* other events may come in between */
  OMEN_THREADS_END = 2
};

/* An edge's region: name * 2, and 1 if it ends there. */

#define OMEN_THREADS_NAMES_MAX 8
#define OMEN_THREADS_REGIONS_MAX 8
#define OMEN_THREADS_PARTS_MAX 4

/* Does the machine's pattern have `||` in it? Never with other engines. */
bool omen_threads_parallel (const omen_machine *machine);

#endif
