/* Ending early and in good order.

     omen_interrupt_begin ();
     options.engine.budget.stop = omen_interrupt_flag ();
     …                                   work that looks at the flag
     omen_interrupt_settle ();           it has ended: what is known is told
     return omen_interrupt_end (code);

   In between SIGINT, SIGTERM and SIGHUP set the flag to their number. If the
   work does not end within OMEN_INTERRUPT_SECONDS, or the signal comes again a
   second later (timeout sends it twice at once), omen ends where it is; an
   unfinished output is removed. What is ignored (by nohup, say) stays so. */
#ifndef OMEN_DRIVER_INTERRUPT_H
#define OMEN_DRIVER_INTERRUPT_H

#include "base/now.h"

enum { OMEN_INTERRUPT_SECONDS = 5 };

void omen_interrupt_begin (void);
omen_stop_flag *omen_interrupt_flag (void);
/* Set the flag for a signal that was waited for instead of handled; without a
   time limit. */
void omen_interrupt_by (int number);
/* The flag was set two seconds ago: what was found by then and is not verified
   is left. */
bool omen_interrupt_is_late (void);
/* No more time limit; another signal still ends it. */
void omen_interrupt_settle (void);
/* `code`; does not return if there was a signal: we die of it. */
int omen_interrupt_end (int code);

#endif
