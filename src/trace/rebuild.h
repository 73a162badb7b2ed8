/* A recorder's file as a trace (doc/recording.md): its notes merged into one
   order, addresses into variables, items into events. Called by
   omen_binary_parse when a file has notes.

   Every event of a thread comes from one item of that thread, an item makes
   none, one or several events. trace->items has for each event the index of its
   item among its thread's items (from 0, as omen_item_counts counts them). */
#ifndef OMEN_TRACE_REBUILD_H
#define OMEN_TRACE_REBUILD_H

#include "trace/binary_reader.h"
#include "trace/past.h"

/* Also what one thread alone uses (trace/private.h)? The program may say so
   before it loads; all that loads the same recording must say the same, since
   witnesses name events by their index. */
extern bool omen_rebuild_all;
/* Or only these variables, by name; NULL: none. */
typedef struct omen_rebuild_keep {
  bool (*keeps) (const void *context, const char *variable);
  const void *context;
} omen_rebuild_keep;
extern const omen_rebuild_keep *omen_rebuild_keeps;
/* What may be forgotten of the beginning; NULL: nothing. Such a trace has no
   dependences and no stacks. */
extern const omen_past_wish *omen_rebuild_past;

/* The reader has listed the file and read its tables into an empty trace, which
   this fills and seals. False: failed. */
bool omen_rebuild (omen_binary_reader *reader);

#endif
