/* What an exploration knows, to a file and back: one function for both, which
   says what there is in which order.

     omen_archive archive = { file, reading, true };
     omen_archive_bytes (&archive, &x->counts, sizeof x->counts);
     omen_archive_map (&archive, &x->pairs);
     archive.ok is false if it could not be written, or is none

   For the machine that wrote it, and the version of omen. */
#ifndef OMEN_BASE_ARCHIVE_H
#define OMEN_BASE_ARCHIVE_H

#include "base/map.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct omen_archive {
  FILE *file;
  bool reading, ok;
  size_t memory; /* reading: size in bytes; 0: it is a file */
} omen_archive;

/* Zeros if there is nothing more to read. */
void omen_archive_bytes (omen_archive *archive, void *data, size_t size);
/* Nothing but true and false can be read. */
void omen_archive_bool (omen_archive *archive, bool *value);
/* How many things come: writes it, or returns what was written; no more than
   there are bytes, or 0. */
size_t omen_archive_count (omen_archive *archive, size_t count);
/* Reading: new entries, in an empty map. */
void omen_archive_map (omen_archive *archive, omen_map *map);
/* Bytes, and a 0 after them, of malloc if read. NULL stays NULL. */
void omen_archive_text (omen_archive *archive, char **text, size_t *length);

#endif
