/* Private to src/model: vector clocks with structure sharing.

     omen_clocks_load (c, 0);            the zero clock, into the work clock
     omen_clocks_raise (c, 2, 7);        seven events of thread 2
     omen_clocks_join (c, other);
     id = omen_clocks_store (c, likes, 2);

   Up to OMEN_CLOCK_CHUNK threads a clock is a plain array. Beyond, it is an
   array of ids of chunks of that many threads, and a clock shares the chunks
   that it has in common with a similar one: joining the clock of one other
   thread costs one chunk and threads / 16 words. */
#ifndef OMEN_MODEL_CLOCKS_H
#define OMEN_MODEL_CLOCKS_H

#include "base/vec.h"
#include "model/model.h"

typedef struct omen_clocks {
  uint32_t threads;
  uint32_t stride; /* words a clock */
  bool chunked;
  omen_ids words, chunks;
  uint32_t count; /* clocks stored; 0 is the zero clock */
  uint32_t *work; /* the work clock, plain, padded to whole chunks */
  uint32_t padded;
} omen_clocks;

void omen_clocks_init (omen_clocks *clocks, uint32_t threads);
void omen_clocks_fini (omen_clocks *clocks);

void omen_clocks_load (omen_clocks *clocks, omen_cid c);
void omen_clocks_join (omen_clocks *clocks, omen_cid c);
/* Store the work clock: one of `likes`, or the newest clock, if equal to it,
   else a new clock that shares chunks with `likes`. */
omen_cid omen_clocks_store (omen_clocks *clocks, const omen_cid *likes,
                            unsigned count);

/* Is no component of a larger than that of b? For checks. */
bool omen_clocks_below (const omen_clocks *clocks, omen_cid a, omen_cid b);

static inline uint32_t
omen_clocks_get (const omen_clocks *clocks, omen_cid c, omen_tid t)
{
  const uint32_t *words = clocks->words.data + (size_t)c * clocks->stride;
  if (!clocks->chunked)
    return words[t];
  return clocks->chunks
      .data[(size_t)words[t / OMEN_CLOCK_CHUNK] * OMEN_CLOCK_CHUNK
            + t % OMEN_CLOCK_CHUNK];
}

static inline void
omen_clocks_raise (omen_clocks *clocks, omen_tid t, uint32_t events)
{
  if (clocks->work[t] < events)
    clocks->work[t] = events;
}

#endif
