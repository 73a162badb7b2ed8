#include "model/clocks.h"

#include <string.h>

#define CHUNK OMEN_CLOCK_CHUNK
#define CHUNK_BYTES (CHUNK * sizeof (uint32_t))

static uint32_t
add_chunk (omen_clocks *clocks, const uint32_t *values)
{
  uint32_t id = (uint32_t)(clocks->chunks.count / CHUNK);
  OMEN_REQUIRE (clocks->chunks.count / CHUNK < OMEN_NONE);
  OMEN_VEC_RESERVE (clocks->chunks, clocks->chunks.count + CHUNK);
  memcpy (clocks->chunks.data + clocks->chunks.count, values, CHUNK_BYTES);
  clocks->chunks.count += CHUNK;
  return id;
}

void
omen_clocks_init (omen_clocks *clocks, uint32_t threads)
{
  *clocks = (omen_clocks){ .threads = threads };
  clocks->chunked = threads > OMEN_HARD_OR (2, CHUNK);
  clocks->padded = (threads + CHUNK - 1) / CHUNK * CHUNK;
  clocks->stride = clocks->chunked ? clocks->padded / CHUNK : threads;
  clocks->work = omen_zalloc (clocks->padded, sizeof *clocks->work);
  if (clocks->chunked)
    add_chunk (clocks, clocks->work); /* chunk 0 is zero, so is clock 0 */
  for (uint32_t i = 0; i < clocks->stride; i++)
    OMEN_VEC_PUSH (clocks->words, 0);
  clocks->count = 1;
}

void
omen_clocks_fini (omen_clocks *clocks)
{
  OMEN_VEC_FINI (clocks->words);
  OMEN_VEC_FINI (clocks->chunks);
  omen_free (clocks->work);
}

/* ---- plain ---- */

static const uint32_t *
words_of (const omen_clocks *clocks, omen_cid c)
{
  OMEN_ASSERT (c < clocks->count);
  return clocks->words.data + (size_t)c * clocks->stride;
}

static const uint32_t *
chunk_of (const omen_clocks *clocks, uint32_t id)
{
  return clocks->chunks.data + (size_t)id * CHUNK;
}

static void
raise_all (uint32_t *to, const uint32_t *from, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    to[i] = to[i] < from[i] ? from[i] : to[i];
}

void
omen_clocks_load (omen_clocks *clocks, omen_cid c)
{
  const uint32_t *words = words_of (clocks, c);
  if (!clocks->chunked)
    memcpy (clocks->work, words, clocks->threads * sizeof *words);
  else
    for (uint32_t i = 0; i < clocks->stride; i++)
      memcpy (clocks->work + i * CHUNK, chunk_of (clocks, words[i]),
              CHUNK_BYTES);
}

void
omen_clocks_join (omen_clocks *clocks, omen_cid c)
{
  const uint32_t *words = words_of (clocks, c);
  if (!clocks->chunked)
    raise_all (clocks->work, words, clocks->threads);
  else
    for (uint32_t i = 0; i < clocks->stride; i++)
      if (words[i])
        raise_all (clocks->work + i * CHUNK, chunk_of (clocks, words[i]),
                   CHUNK);
}

/* ---- storing ---- */

static bool
chunk_is (const omen_clocks *clocks, uint32_t id, const uint32_t *values)
{
  return !memcmp (chunk_of (clocks, id), values, CHUNK_BYTES);
}

static bool
is_work (const omen_clocks *clocks, omen_cid c)
{
  const uint32_t *words = words_of (clocks, c);
  OMEN_ASSERT (c < clocks->count);
  if (!clocks->chunked)
    return !memcmp (words, clocks->work, clocks->threads * sizeof *words);
  for (uint32_t i = 0; i < clocks->stride; i++)
    if (!chunk_is (clocks, words[i], clocks->work + i * CHUNK))
      return false;
  return true;
}

static uint32_t
chunk_like (omen_clocks *clocks, uint32_t i, const omen_cid *likes,
            unsigned count)
{
  const uint32_t *values = clocks->work + i * CHUNK;
  for (unsigned k = 0; k < count; k++) {
    uint32_t id = words_of (clocks, likes[k])[i];
    if (chunk_is (clocks, id, values))
      return id;
  }
  return chunk_is (clocks, 0, values) ? 0 : add_chunk (clocks, values);
}

omen_cid
omen_clocks_store (omen_clocks *clocks, const omen_cid *likes, unsigned count)
{
  uint32_t stride = clocks->stride;
  for (unsigned k = 0; k < count; k++)
    if (is_work (clocks, likes[k]))
      return likes[k];
  if (is_work (clocks, clocks->count - 1))
    return clocks->count - 1;
  OMEN_REQUIRE (clocks->count < OMEN_NONE - 1);
  OMEN_VEC_RESERVE (clocks->words, clocks->words.count + stride);
  for (uint32_t i = 0; i < stride; i++) {
    uint32_t word = clocks->chunked ? chunk_like (clocks, i, likes, count)
                                    : clocks->work[i];
    clocks->words.data[clocks->words.count + i] = word;
  }
  clocks->words.count += stride;
  return clocks->count++;
}

bool
omen_clocks_below (const omen_clocks *clocks, omen_cid a, omen_cid b)
{
  for (omen_tid t = 0; t < clocks->threads; t++)
    if (omen_clocks_get (clocks, a, t) > omen_clocks_get (clocks, b, t))
      return false;
  return true;
}
