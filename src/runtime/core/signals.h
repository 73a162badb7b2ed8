/* Signals. Handlers of the program run with records of their own, and the
   recording is written before a signal ends the program.

   The kernel gets our handler for every signal that the program handles and for
   every one that would end it; the program sees its own actions, as it set
   them. */
#ifndef OMEN_RUNTIME_CORE_SIGNALS_H
#define OMEN_RUNTIME_CORE_SIGNALS_H

#include "runtime/core/core.h"

void omen_signals_start (void);
void omen_signals_after_fork (void);

/* Brackets around a write of ours: SIGXFSZ and SIGPIPE that it causes are not
   delivered to the program. */
extern OMEN_TLS bool omen_signal_ours;

/* Raises SIGABRT for the calling thread. Returns if the program's handler does,
   with everything written and the default action set. */
void omen_signal_abort (void);

/* The program left a handler by siglongjmp. Called before a thread that has
   handlers logs anything. */
void omen_signal_unwound (omen_self *self);

#endif
