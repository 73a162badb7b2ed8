/* A recorder's file as a trace (doc/recording.md): its notes merged into one
   order, addresses into variables, items into events. Called by
   omen_binary_parse when a file has notes.

   Every event of a thread comes from one item of that thread, an item makes
   none, one or several events. `items`, if wanted, gets for each event of the
   trace the index of its item among its thread's items (from 0, as
   omen_item_counts counts them). */
#ifndef OMEN_TRACE_REBUILD_H
#define OMEN_TRACE_REBUILD_H

#include "trace/binary_reader.h"

typedef struct omen_rebuild_options {
  bool all;                 /* also what one thread alone uses */
  omen_item_indices *items; /* may be NULL */
} omen_rebuild_options;

/* The reader has listed the file and read its tables into an empty trace, which
   this fills and seals. False: failed. */
bool omen_rebuild (omen_binary_reader *reader,
                   const omen_rebuild_options *options);

#endif
