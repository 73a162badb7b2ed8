/* A recorder's file as a trace (doc/recording.md): its notes merged into one
   order, addresses into variables, items into events. Called by
   load/load.c when a file has notes.

   Every event of a thread comes from one item of that thread, an item makes
   none, one or several events. trace->items has for each event the index of its
   item among its thread's items (from 0, as omen_item_counts counts them). */
#ifndef OMEN_RECORDING_REBUILD_H
#define OMEN_RECORDING_REBUILD_H

#include "base/limits.h"
#include "io/binary_reader.h"

/* What is in the trace; all zero: what can matter. */
typedef struct omen_rebuild_options {
  bool whole;    /* also what is settled (scan/settled.h) */
  bool mistakes; /* nobody asks but for errors and warnings: where the scan
                    finds that there are none, no events are made */
  bool all;      /* also what one thread alone uses (trace/private.h), */
  /* or only these variables of it, by name; NULL: none */
  bool (*keeps) (const void *context, const char *variable);
  /* state predicates speak of this one (events/reached.c); NULL: of none */
  bool (*watches) (const void *context, const char *variable);
  const void *context;
  bool afterlife; /* what is where a local was is that, after its function has
                     returned, too: for who knows what is used there */
  omen_limits *limits; /* NULL: none; past them a first part is taken */
} omen_rebuild_options;

/* The reader has listed the file and read its tables into an empty trace, which
   this fills and seals. False: failed. */
bool omen_rebuild (omen_binary_reader *reader,
                   const omen_rebuild_options *options);

#endif
