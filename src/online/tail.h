/* The chunks of a recording that is still being written, each once and whole.

     omen_tail_open (&tail, fd, path, &err)
     while (omen_tail_next (&tail, over, &chunk) == OMEN_TAIL_CHUNK) {
       ... tail.reader, tail.file: the tables so far
       omen_tail_pass (&tail, &chunk);
     }

   The file is mapped, so that earlier chunks can be read again until they are
   dropped. A chunk that is incomplete, or not valid yet, is tried again later:
   it may still be being written. The end mark is checked again as well, since
   it is removed when a failed exec lets the program continue.

   Owner: the tail owns the descriptor, the reader and its trace. */
#ifndef OMEN_ONLINE_TAIL_H
#define OMEN_ONLINE_TAIL_H

#include "recording/scan/scan.h"

typedef enum omen_tail_state {
  OMEN_TAIL_CHUNK,
  OMEN_TAIL_NONE, /* no whole chunk yet */
  OMEN_TAIL_END,  /* the end mark */
  OMEN_TAIL_FAILED
} omen_tail_state;

typedef struct omen_tail {
  char *path;
  int fd;
  const uint8_t *map; /* with room for more */
  uint64_t at;        /* offset of the next chunk */
  uint64_t dropped;   /* bytes whose memory was released */
  uint64_t discarded; /* bytes whose disk space was freed */
  unsigned retries;   /* attempts in a row that found no valid chunk */
  omen_err err;       /* of the reader */
  omen_binary_reader reader;
  omen_notes_file file;
} omen_tail;

/* False: it cannot be mapped; the descriptor is closed. */
bool omen_tail_open (omen_tail *tail, int fd, const char *path, omen_err *err);
void omen_tail_close (omen_tail *tail);
/* Sets the error, unless there is one: "byte AT: WHAT". Always false. */
bool omen_tail_fail (omen_tail *tail, const char *what);

/* `over`: the file is no longer written, so what is no chunk now never will
   be. */
omen_tail_state omen_tail_next (omen_tail *tail, bool over, omen_chunk *chunk);
void omen_tail_pass (omen_tail *tail, const omen_chunk *chunk);

/* Release the memory of passed chunks; they can still be read. */
void omen_tail_drop (omen_tail *tail);
/* Free their disk space as well: they cannot be read any more. */
void omen_tail_discard (omen_tail *tail);

#endif
