/* Divides work among processes that otherwise all do the same: each comes to
   the same pieces, does some of them, and gets the results of all.

     omen_share_work work = { "races", pieces, do_some, take, context };
     share->run (share, &work);

   The results of `some` depend only on its pieces, not on which process does
   them, or on what else that process has done since the last common state. */
#ifndef OMEN_BASE_SHARE_H
#define OMEN_BASE_SHARE_H

#include "base/archive.h"

typedef struct omen_share_work {
  const char *what;
  uint32_t pieces;
  /* Does the pieces [first, end), and writes the results to the archive only.
     May be called in another thread. */
  void (*some) (void *context, uint32_t first, uint32_t end,
                omen_archive *archive);
  /* Reads what one call of `some` has written; called in the order of the
     pieces. */
  void (*take) (void *context, omen_archive *archive);
  void *context;
} omen_share_work;

typedef struct omen_share omen_share;
struct omen_share {
  void (*run) (omen_share *share, const omen_share_work *work);
};

#endif
