#include "io/binary_writer.h"

#include <lz4.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Small enough to be decoded from the level 2 cache. */
#define CHUNK_BYTES OMEN_HARD_OR ((size_t)64, (size_t)128 << 10)

void
omen_chunk_open (omen_chunk_writer *w, unsigned kind, uint32_t stream)
{
  OMEN_REQUIRE (!w->header.magic);
  w->header = (omen_chunk_header){ .magic = OMEN_CHUNK_MAGIC,
                                   .kind = (uint16_t)kind,
                                   .stream = stream };
  OMEN_VEC_CLEAR (w->payload);
  w->fresh = true;
}

uint8_t *
omen_chunk_room (omen_chunk_writer *w, size_t count)
{
  size_t at = w->payload.count;
  OMEN_VEC_RESERVE (w->payload, at + count);
  w->payload.count += count;
  return w->payload.data + at;
}

void
omen_chunk_bytes (omen_chunk_writer *w, const void *bytes, size_t count)
{
  if (count)
    memcpy (omen_chunk_room (w, count), bytes, count);
}

void
omen_chunk_varint (omen_chunk_writer *w, uint64_t n)
{
  uint8_t bytes[10];
  omen_chunk_bytes (w, bytes, (size_t)(omen_varint_put (bytes, n) - bytes));
}

/* The payload as stored: compressed if that is smaller. */
static const void *
pack (omen_chunk_writer *w)
{
  omen_chunk_header *h = &w->header;
  int size = (int)h->size, packed;
  if (!(w->how & OMEN_BINARY_LZ4) || h->size > LZ4_MAX_INPUT_SIZE
      || h->kind == OMEN_CHUNK_END)
    return w->payload.data;
  OMEN_VEC_RESERVE (w->packed, (size_t)LZ4_compressBound (size));
  packed = LZ4_compress_default ((const char *)w->payload.data, w->packed.data,
                                 size, (int)w->packed.room);
  if (packed <= 0 || packed >= size)
    return w->payload.data;
  h->flags |= OMEN_CHUNK_LZ4;
  h->stored = (uint32_t)packed;
  return w->packed.data;
}

static void
write_chunk (omen_chunk_writer *w)
{
  omen_chunk_header *h = &w->header;
  const void *stored;
  OMEN_ASSERT (w->payload.count <= UINT32_MAX);
  h->size = h->stored = (uint32_t)w->payload.count;
  h->flags &= OMEN_CHUNK_OPTIONAL;
  stored = pack (w);
  h->checksum = XXH3_64bits (stored, h->stored);
  h->check = XXH3_64bits (h, offsetof (omen_chunk_header, check));
  fwrite (h, sizeof *h, 1, w->out);
  fwrite (stored, h->stored, 1, w->out);
  if (OMEN_HARD_OR (true, false))
    fflush (w->out);
  h->first += h->count;
  h->count = 0;
  w->chunks++;
  w->fresh = true;
  OMEN_VEC_CLEAR (w->payload);
}

void
omen_chunk_entry (omen_chunk_writer *w)
{
  OMEN_REQUIRE (w->header.magic);
  w->header.count++;
  if (w->payload.count >= CHUNK_BYTES)
    write_chunk (w);
}

void
omen_chunk_close (omen_chunk_writer *w)
{
  OMEN_REQUIRE (w->header.magic);
  if (w->header.count)
    write_chunk (w);
  w->header.magic = 0;
}
