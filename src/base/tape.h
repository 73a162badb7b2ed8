/* What an exploration knows, to a file and back: one function for both, which
   says what there is in which order.

     omen_tape tape = { file, reading, true };
     omen_tape_bytes (&tape, &x->counts, sizeof x->counts);
     omen_tape_map (&tape, &x->pairs);
     tape.ok is false if it could not be written, or is none

   For the machine that wrote it, and the version of omen. */
#ifndef OMEN_BASE_TAPE_H
#define OMEN_BASE_TAPE_H

#include "base/map.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct omen_tape {
  FILE *file;
  bool reading, ok;
  size_t memory; /* reading: size in bytes; 0: it is a file */
} omen_tape;

/* Zeros if there is nothing more to read. */
void omen_tape_bytes (omen_tape *tape, void *data, size_t size);
/* How many things come: writes it, or returns what was written; no more than
   there are bytes, or 0. */
size_t omen_tape_count (omen_tape *tape, size_t count);
/* Reading: new entries, in an empty map. */
void omen_tape_map (omen_tape *tape, omen_map *map);
/* Bytes, and a 0 after them, of malloc if read. NULL stays NULL. */
void omen_tape_text (omen_tape *tape, char **text, size_t *length);

#endif
