/* Bytes of a NOTES chunk -> notes; the other side is runtime/encode.h.

     omen_notes_open (&reader, payload, size, header->count);
     while (omen_notes_next (&reader, &note))
       use (note.site, note.a, note.b);
     if (reader.failed)
       …                                       malformed from here on

   Borrows the bytes. Site ids are not checked against the table of sites. */
#ifndef OMEN_TRACE_NOTES_DECODE_H
#define OMEN_TRACE_NOTES_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct omen_raw_note {
  uint32_t site; /* id, from 1 */
  uint64_t a, b;
} omen_raw_note;

typedef struct omen_notes_reader {
  const uint8_t *at, *end;
  uint32_t left; /* notes still to come */
  bool failed;
  uint64_t a;
} omen_notes_reader;

void omen_notes_open (omen_notes_reader *reader, const uint8_t *bytes,
                      size_t size, uint32_t count);

/* False after the last one, and at one that is not well formed. Bytes left over
   after the last one are malformed, too. */
bool omen_notes_next (omen_notes_reader *reader, omen_raw_note *note);

#endif
