/* Which words of memory have accesses that race, and all writes to these, with
   the time of each as a clock for every thread: what numbers, forks and joins
   say of the order, whatever order the merge has made so far.

     T1   w(x=1) #0         x races: nothing orders r(x) and w(x=2); r(x) may
     T2   #1 r(x) #2        have seen w(x=1) or w(x=2), but nothing else that is
     T3   w(x=2)            in the file

   For reads whose value is not there (writers.c), and for files whose beginning
   is lost (ring/ambiguous.h). A program whose reads all find their values needs
   none of this. Cost: the recording is read three times more; 40 bytes for each
   word that is used, and for each write to one that races. */
#ifndef OMEN_RECORDING_MERGE_RACES_H
#define OMEN_RECORDING_MERGE_RACES_H

#include "recording/merge/merge.h"

/* A write to some bytes of a word with racing accesses. */
typedef struct omen_race_write {
  uint64_t word;     /* address / 8 */
  uint64_t position; /* of its item */
  uint64_t value;
  uint32_t thread, time; /* time: entry of `times` */
  uint8_t mask;
  bool any; /* its value is not known */
} omen_race_write;

/* When something happened: the thread's own clock, and a vector clock. */
typedef struct omen_race_time {
  uint32_t clock;
  const uint32_t *after; /* by thread: clocks up to this come before */
} omen_race_time;

typedef struct omen_race_ticks {
  OMEN_VEC (uint64_t) at; /* positions from which on its clock is one more */
} omen_race_ticks;

/* Memory is divided into blocks of this size with no user, one or several. */
#define OMEN_RACE_BLOCK_BITS 8

typedef struct omen_races {
  omen_notes_file *file;
  omen_map users;   /* block -> thread, or OMEN_RACE_SHARED */
  omen_map writers; /* the same for writers */
  bool found;       /* what follows is there, or … */
  bool failed;      /* could not be found */
  uint32_t threads;
  omen_race_ticks *ticks;            /* by thread */
  omen_map racing;                   /* word -> first of its writes */
  OMEN_VEC (omen_race_write) writes; /* by word */
  omen_map time_of;                  /* (thread, clock) -> entry of times */
  OMEN_VEC (omen_race_time) times;
  const uint32_t *
      *lost; /* by thread: its records are lost from this clock on; NULL */
  omen_image start; /* memory at the beginning */
  omen_arena arena;
} omen_races;

#define OMEN_RACE_SHARED (OMEN_NONE - 1)

/* ---- races.c ---- */
/* For a file that does not grow. */
omen_races *omen_races_new (omen_notes_file *file);
/* Walks all of it. False: failed, or too expensive (never the latter if the
   beginning of the file is lost). */
bool omen_races_find (omen_races *races);
void omen_races_free (omen_races *races);

/* ---- writers.c ---- */
/* Did code that is not recorded certainly write what t's read found, because no
   write in the file can have left it in any order? Only words that do not fit
   memory as it is now are checked. */
bool omen_writers_outside (omen_merge *merge, uint32_t t,
                           const omen_item *item);
/* Is t certainly the only thread that writes there? */
bool omen_writers_own (omen_merge *merge, uint32_t t, uint64_t address,
                       uint64_t length);
/* Is there exactly one write in the file that t's load of up to 8 bytes can
   have seen? */
bool omen_writers_certain (omen_merge *merge, uint32_t t, uint64_t address,
                           unsigned size);
/* The time of the item that t is at; NULL: it uses no word that races. */
const omen_race_time *omen_races_now (const omen_races *races,
                                      const omen_merge *merge, uint32_t t);
/* The writes to a word, by thread and position; NULL: it does not race. */
const omen_race_write *omen_races_writes (const omen_races *races,
                                          uint64_t word,
                                          const omen_race_write **end);
/* Is the write of another thread certainly after t's read, or certainly before
   it? */
static inline bool
omen_race_is_after (const omen_races *races, uint32_t t,
                    const omen_race_time *read, const omen_race_write *write)
{
  return read->clock <= races->times.data[write->time].after[t];
}

static inline bool
omen_race_is_before (const omen_races *races, const omen_race_time *read,
                     const omen_race_write *write)
{
  return races->times.data[write->time].clock <= read->after[write->thread];
}

#endif
