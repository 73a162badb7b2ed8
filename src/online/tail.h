/* The chunks of a recording that is still being written, each once and whole.

     omen_tail_open (&tail, fd, path, &err)
     while (omen_tail_next (&tail, over, &chunk) == OMEN_TAIL_CHUNK) {
       ... tail.reader, tail.file: the tables so far
       omen_tail_pass (&tail, &chunk);
     }

   The file is mapped, so that earlier chunks can be read again until they are
   dropped. A chunk whose bytes are not all there, or not right yet, is looked
   at again later: somebody may be writing it. The end mark is looked at again
   as well, since it goes when a failed exec lets the program go on.

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
  uint64_t dropped;   /* bytes whose memory was given back */
  uint64_t discarded; /* bytes whose room on disk was */
  unsigned retries;   /* looks in a row at something that is no chunk */
  omen_err err;       /* of the reader */
  omen_binary_reader reader;
  omen_notes_file file;
} omen_tail;

/* False: it cannot be mapped; the descriptor is closed. */
bool omen_tail_open (omen_tail *tail, int fd, const char *path, omen_err *err);
void omen_tail_close (omen_tail *tail);
/* Sets the error, unless there is one: "byte AT: WHAT". Always false. */
bool omen_tail_fail (omen_tail *tail, const char *what);

/* `over`: nobody writes any more, so what is no chunk now will never be one. */
omen_tail_state omen_tail_next (omen_tail *tail, bool over, omen_chunk *chunk);
void omen_tail_pass (omen_tail *tail, const omen_chunk *chunk);

/* Give the memory of passed chunks back; they can still be read. */
void omen_tail_drop (omen_tail *tail);
/* Give their room on disk back as well: they are gone. */
void omen_tail_discard (omen_tail *tail);

#endif
