/* The processes that one mpirun started: rank 0 leads, the others help it, each
   over connections of its own.

     omen_ranks ranks;
     if (!omen_ranks_meet (&ranks, 1, &code)) …
     if (ranks.rank) … helps over ranks.links.data[0].socket
     omen_ranks_part (&ranks);

   Without mpirun there is one rank and no connection. A connection that closes
   is a rank that died: what it was to do is done by another. */
#ifndef OMEN_DRIVER_RANKS_RANKS_H
#define OMEN_DRIVER_RANKS_RANKS_H

#include "base/vec.h"

#include <stdbool.h>

typedef struct omen_rank_link {
  int socket;
  unsigned rank; /* at the other end */
} omen_rank_link;

typedef struct omen_ranks {
  unsigned rank;
  OMEN_VEC (omen_rank_link) links; /* of rank 0: to all; of others: to rank 0 */
} omen_ranks;

/* `links`: for each rank. Of rank 0, those of ranks that do not come are left
   out, with a warning. Prints its own messages. False: `code` says what to
   return. */
bool omen_ranks_meet (omen_ranks *ranks, unsigned links, int *code);
/* Closes the connections; rank 0 waits, for a moment, until the others have
   ended: mpirun kills those that have not. */
void omen_ranks_part (omen_ranks *ranks);
/* Can ranks find each other, if mpirun starts some? */
bool omen_ranks_possible (void);

#endif
