/* Work that ranks share (base/share.h): rank 0 hands out pieces, does some
   itself, and sends all answers to everyone. What a rank that dies was at is
   done by another.

     omen_ranks_share share;
     omen_ranks_share_init (&share, &ranks);
     options.share = &share.share;

   Another rank than 0 ends at once, and without a word, if rank 0 is gone. */
#ifndef OMEN_DRIVER_RANKS_SHARE_H
#define OMEN_DRIVER_RANKS_SHARE_H

#include "base/share.h"
#include "driver/ranks/ranks.h"

typedef struct omen_ranks_share {
  omen_share share;
  omen_ranks *ranks;
  uint32_t steps; /* so often something was shared */
} omen_ranks_share;

void omen_ranks_share_init (omen_ranks_share *share, omen_ranks *ranks);

#endif
