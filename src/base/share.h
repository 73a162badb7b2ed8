/* Work that processes share which otherwise all do the same: each comes to the
   same pieces, does some, and has the answers to all of them afterwards.

     omen_share_work work = { "races", pieces, do_some, take, context };
     share->run (share, &work);

   What `some` finds depends on its pieces alone, not on who does them, or what
   else that process has done since all had the same. */
#ifndef OMEN_BASE_SHARE_H
#define OMEN_BASE_SHARE_H

#include "base/tape.h"

typedef struct omen_share_work {
  const char *what;
  uint32_t pieces;
  /* From first to end, not included; what came of it goes to the tape and
     nowhere else. May be called in another thread. */
  void (*some) (void *context, uint32_t first, uint32_t end, omen_tape *tape);
  /* What one call of `some` has written, in the order of the pieces. */
  void (*take) (void *context, omen_tape *tape);
  void *context;
} omen_share_work;

typedef struct omen_share omen_share;
struct omen_share {
  void (*run) (omen_share *share, const omen_share_work *work);
};

#endif
