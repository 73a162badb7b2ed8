/* Work shared by ranks (base/share.h): rank 0 distributes pieces, computes some
   itself, and sends all answers to every rank. If a rank dies, its pieces are
   given to others.

     omen_ranks_share share;
     omen_ranks_share_init (&share, &ranks);
     options.share = &share.share;

   If rank 0 dies, the other ranks exit silently. */
#ifndef OMEN_DRIVER_RANKS_SHARE_H
#define OMEN_DRIVER_RANKS_SHARE_H

#include "base/share.h"
#include "driver/ranks/ranks.h"

typedef struct omen_ranks_share {
  omen_share share;
  omen_ranks *ranks;
  uint32_t steps; /* number of shared steps so far */
} omen_ranks_share;

void omen_ranks_share_init (omen_ranks_share *share, omen_ranks *ranks);

#endif
