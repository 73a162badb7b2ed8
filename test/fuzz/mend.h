/* For inputs that are binary files. Half of the changes know the form: they are
   made in the payload of one chunk, or move, repeat or drop a whole one. Most
   of what is changed is made right again (lengths, checksums), or all would be
   refused for these. */
#ifndef OMEN_TEST_FUZZ_MEND_H
#define OMEN_TEST_FUZZ_MEND_H

#include "../unit/binary_file.h"

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t room)
    __attribute__ ((weak));
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t room,
                                unsigned seed);

enum { MEND_CHUNKS = 256 };

/* Bytes [from, end) of the file, header and payload. */
typedef struct mend_chunk {
  size_t from, end;
} mend_chunk;

/* As far as they can be followed. */
static inline size_t
mend_find (const uint8_t *data, size_t size, mend_chunk chunks[MEND_CHUNKS])
{
  omen_chunk_header h;
  size_t count = 0, at = sizeof (omen_file_header);
  while (count < MEND_CHUNKS && at <= size && size - at >= sizeof h) {
    memcpy (&h, data + at, sizeof h);
    if (h.stored > size - at - sizeof h)
      break;
    chunks[count++] = (mend_chunk){ at, at + sizeof h + h.stored };
    at += sizeof h + h.stored;
  }
  return count;
}

/* Bytes [from, end) become `length` bytes of `by`; the new size. */
static inline size_t
mend_replace (uint8_t *data, size_t size, size_t from, size_t end,
              const uint8_t *by, size_t length)
{
  memmove (data + from + length, data + end, size - end);
  if (length)
    memcpy (data + from, by, length);
  return size - (end - from) + length;
}

static inline size_t
mend_payload (uint8_t *data, size_t size, size_t room, mend_chunk chunk)
{
  omen_chunk_header h;
  size_t from = chunk.from + sizeof h, length = chunk.end - from;
  size_t most = length + (room - size < 64 ? room - size : 64);
  file_bytes payload = { 0 };
  memcpy (&h, data + chunk.from, sizeof h);
  OMEN_VEC_RESERVE (payload, most + 1);
  memcpy (payload.data, data + from, length);
  size_t now = LLVMFuzzerMutate (payload.data, length, most);
  if (now > most) /* it makes one byte where there is room for none */
    now = most;
  size = mend_replace (data, size, from, chunk.end, payload.data, now);
  if (h.size == h.stored)
    h.size = (uint32_t)now;
  h.stored = (uint32_t)now;
  memcpy (data + chunk.from, &h, sizeof h);
  OMEN_VEC_FINI (payload);
  return size;
}

/* A chunk goes, is repeated before another one, or takes its place. */
static inline size_t
mend_chunks (uint8_t *data, size_t size, size_t room, mend_chunk one,
             mend_chunk other, unsigned how)
{
  file_bytes copy = { 0 };
  size_t length = how ? one.end - one.from : 0;
  mend_chunk at = how == 0   ? one
                  : how == 1 ? (mend_chunk){ other.from, other.from }
                             : other;
  if (size - (at.end - at.from) + length > room)
    return size;
  file_put (&copy, data + one.from, length);
  size = mend_replace (data, size, at.from, at.end, copy.data, length);
  OMEN_VEC_FINI (copy);
  return size;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t room, unsigned seed)
{
  mend_chunk chunks[MEND_CHUNKS];
  size_t count = seed & 1 ? mend_find (data, size, chunks) : 0;
  unsigned how = seed >> 1 & 7;
  if (!count)
    size = LLVMFuzzerMutate (data, size, room);
  else if (how < 5)
    size = mend_payload (data, size, room, chunks[(seed >> 4) % count]);
  else
    size = mend_chunks (data, size, room, chunks[(seed >> 4) % count],
                        chunks[(seed >> 14) % count], how - 5);
  if (seed >> 24 & 3)
    file_repair (data, size);
  return size;
}

#endif
