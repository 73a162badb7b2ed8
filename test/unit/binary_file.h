/* Binary trace files by hand, for tests that need odd ones. */
#ifndef OMEN_TEST_BINARY_FILE_H
#define OMEN_TEST_BINARY_FILE_H

#include "base/vec.h"
#include "wire/format.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef OMEN_VEC (uint8_t) file_bytes;

static inline void
file_put (file_bytes *file, const void *bytes, size_t size)
{
  OMEN_VEC_RESERVE (*file, file->count + size);
  if (size)
    memcpy (file->data + file->count, bytes, size);
  file->count += size;
}

static inline omen_file_header
file_header (void)
{
  omen_file_header h
      = { .version = OMEN_FORMAT_VERSION, .minimum = 1, .size = sizeof h };
  memcpy (h.magic, OMEN_FILE_MAGIC, sizeof h.magic);
  return h;
}

static inline void
file_put_header (file_bytes *file, omen_file_header h)
{
  h.checksum = XXH3_64bits (&h, offsetof (omen_file_header, checksum));
  file_put (file, &h, sizeof h);
}

/* Fields of `h` that are 0 and need not be are filled in. */
static inline void
file_put_chunk (file_bytes *file, omen_chunk_header h, const void *payload,
                size_t size)
{
  h.magic = OMEN_CHUNK_MAGIC;
  h.stored = h.stored ? h.stored : (uint32_t)size;
  h.size = h.size ? h.size : (uint32_t)size;
  h.checksum = XXH3_64bits (payload, size);
  h.check = XXH3_64bits (&h, offsetof (omen_chunk_header, check));
  file_put (file, &h, sizeof h);
  file_put (file, payload, size);
}

static inline void
file_put_names (file_bytes *file, uint32_t table, const char *const *names,
                uint32_t count)
{
  file_bytes payload = { 0 };
  for (uint32_t i = 0; i < count; i++) {
    uint8_t length = (uint8_t)strlen (names[i]);
    file_put (&payload, &length, 1);
    file_put (&payload, names[i], length);
  }
  file_put_chunk (file,
                  (omen_chunk_header){ .kind = OMEN_CHUNK_NAMES,
                                       .stream = table,
                                       .count = count },
                  payload.data, payload.count);
  OMEN_VEC_FINI (payload);
}

static inline void
file_put_end (file_bytes *file, uint64_t chunks, uint64_t events)
{
  omen_file_end end = { chunks, events };
  file_put_chunk (file,
                  (omen_chunk_header){
                      .kind = OMEN_CHUNK_END, .stream = OMEN_NONE, .count = 1 },
                  &end, sizeof end);
}

/* Make the checksums of the file right again, as far as its chunks can be
   followed. */
static inline void
file_repair (uint8_t *data, size_t size)
{
  omen_file_header f;
  size_t at;
  if (size < sizeof f)
    return;
  memcpy (&f, data, sizeof f);
  f.checksum = XXH3_64bits (&f, offsetof (omen_file_header, checksum));
  memcpy (data, &f, sizeof f);
  for (at = f.size < sizeof f ? sizeof f : f.size; at < size;) {
    omen_chunk_header h;
    if (size - at < sizeof h)
      return;
    memcpy (&h, data + at, sizeof h);
    if (h.stored > size - at - sizeof h)
      return;
    h.magic = OMEN_CHUNK_MAGIC;
    h.checksum = XXH3_64bits (data + at + sizeof h, h.stored);
    h.check = XXH3_64bits (&h, offsetof (omen_chunk_header, check));
    memcpy (data + at, &h, sizeof h);
    at += sizeof h + h.stored;
  }
}

#endif
