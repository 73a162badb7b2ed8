/* In which order findings are confirmed: what is worse first, then what is
   cheaper to try, by the length of its schedule. */
#ifndef OMEN_DRIVER_CHECK_TURNS_H
#define OMEN_DRIVER_CHECK_TURNS_H

#include "driver/check/checked.h"

typedef struct omen_confirm_turn {
  size_t trace, finding; /* by their index */
  unsigned rank;         /* 0: the worst */
  size_t steps;
} omen_confirm_turn;

typedef OMEN_VEC (omen_confirm_turn) omen_confirm_turns;

/* Those that are verified and have not been tried. OMEN_VEC_FINI it. */
void omen_turns_find (omen_confirm_turns *turns,
                      const omen_checked_list *traces);

#endif
