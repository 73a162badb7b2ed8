/* Orderly termination by signals.

     omen_interrupt_begin ();
     options.engine.budget.stop = omen_interrupt_flag ();
     …                                   work that checks the flag
     omen_interrupt_settle ();           work has ended: report results
     return omen_interrupt_end (code);

   In between, SIGINT, SIGTERM and SIGHUP set the flag to their number. If the
   work does not end within OMEN_INTERRUPT_SECONDS, or the signal comes again
   more than a second later (timeout sends it twice at once), omen ends
   immediately and removes unfinished output. Signals that were ignored (by
   nohup, for example) remain ignored. */
#ifndef OMEN_DRIVER_INTERRUPT_H
#define OMEN_DRIVER_INTERRUPT_H

#include "base/now.h"

enum { OMEN_INTERRUPT_SECONDS = 5 };

void omen_interrupt_begin (void);
omen_stop_flag *omen_interrupt_flag (void);
/* Sets the flag for a signal that was taken by sigtimedwait; without a time
   limit. */
void omen_interrupt_by (int number);
/* Was the flag set at least two seconds ago? Findings not verified by then are
   dropped. */
bool omen_interrupt_is_late (void);
/* Ends the time limit; another signal still terminates. */
void omen_interrupt_settle (void);
/* Returns `code`, or, if a signal came, terminates by that signal. */
int omen_interrupt_end (int code);

#endif
