/* Makes a trace of a recording (doc/recording.md): merges its logs into one
   order and turns addresses into variables and items into events. Called by
   load/load.c for a file that has notes.

   Every event of a thread comes from one item of that thread; an item makes
   none, one or several events. trace->items has for each event the index of its
   item among its thread's items (from 0, as omen_item_counts counts them). */
#ifndef OMEN_RECORDING_REBUILD_H
#define OMEN_RECORDING_REBUILD_H

#include "base/limits.h"
#include "io/binary_reader.h"

/* How a recording is shortened that is too long to be merged. */
typedef enum omen_recording_part {
  OMEN_PART_SCANNED,   /* what was scanned, before anything is dropped */
  OMEN_PART_EXTRACTED, /* what is left then */
  OMEN_PART_EVENLY,    /* the first notes of each thread: no time to scan all */
  OMEN_PARTS
} omen_recording_part;

/* What the trace contains; all zero: what can affect findings. */
typedef struct omen_rebuild_options {
  bool whole;    /* also accesses to settled memory (scan/settled.h) */
  bool mistakes; /* only findings are needed: if the scan excludes all of them,
                    no events are made */
  bool all;      /* also what only one thread uses (trace/private.h) */
  /* or only these variables of it, by name; NULL: none */
  bool (*keeps) (const void *context, const char *variable);
  /* is it used by a state predicate (events/reached.c)? NULL: none is */
  bool (*watches) (const void *context, const char *variable);
  const void *context;
  bool afterlife; /* memory of a local stays that local after its function has
                     returned, for analyses that look for late uses */
  /* Of what is found so much is used, at least one chunk; 0: all for which
     there is time. For tests, which cannot wait until there is none; with
     limits. */
  double parts[OMEN_PARTS];
  omen_limits *
      limits; /* NULL: none; at a limit a first part of the recording is used */
} omen_rebuild_options;

/* Fills and seals the reader's trace. The reader has listed the file and read
   its tables. False: failed. */
bool omen_rebuild (omen_binary_reader *reader,
                   const omen_rebuild_options *options);

#endif
