/* The order in which findings are confirmed: by severity, then by the length of
   the schedule, which determines the cost of a replay. */
#ifndef OMEN_DRIVER_CHECK_TURNS_H
#define OMEN_DRIVER_CHECK_TURNS_H

#include "driver/check/checked.h"

typedef struct omen_confirm_turn {
  size_t trace, finding; /* indices */
  unsigned rank;         /* 0: most severe */
  size_t steps;
} omen_confirm_turn;

typedef OMEN_VEC (omen_confirm_turn) omen_confirm_turns;

/* Findings that are verified and were not tried yet. To be freed with
   OMEN_VEC_FINI. */
void omen_turns_find (omen_confirm_turns *turns,
                      const omen_checked_list *traces);

#endif
