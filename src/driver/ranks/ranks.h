/* The processes started by one mpirun: rank 0 coordinates, the others work for
   it, over connections of their own.

     omen_ranks ranks;
     if (!omen_ranks_meet (&ranks, 1, &code)) …
     if (ranks.rank) … helps over ranks.links.data[0].socket
     omen_ranks_part (&ranks);

   Without mpirun there is one rank and no connection. If a connection closes,
   its rank has died, and its work is given to another. */
#ifndef OMEN_DRIVER_RANKS_RANKS_H
#define OMEN_DRIVER_RANKS_RANKS_H

#include "base/vec.h"

#include <stdbool.h>

typedef struct omen_rank_link {
  int socket;
  unsigned rank; /* of the other end */
} omen_rank_link;

typedef struct omen_ranks {
  unsigned rank;
  OMEN_VEC (omen_rank_link) links; /* on rank 0: to all; on others: to rank 0 */
} omen_ranks;

/* `links`: number of connections for each rank. Rank 0 continues without ranks
   that do not connect, with a warning. Prints its own messages. False: `code`
   is the exit code. */
bool omen_ranks_meet (omen_ranks *ranks, unsigned links, int *code);
/* Closes the connections. Rank 0 waits briefly for the others to end, since
   mpirun would kill them. */
void omen_ranks_part (omen_ranks *ranks);
/* Can ranks work, if mpirun starts some? */
bool omen_ranks_possible (void);

#endif
