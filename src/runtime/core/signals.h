/* Signals: handlers of the program run with notes of their own, and signals
   that end the program let us write first.

   The kernel gets our handler for every signal that the program handles and for
   every one that would end it; the program sees its own actions, as it set
   them. */
#ifndef OMEN_RUNTIME_CORE_SIGNALS_H
#define OMEN_RUNTIME_CORE_SIGNALS_H

#include "runtime/core/core.h"

void omen_signals_start (void);
void omen_signals_after_fork (void);

/* Around a write of ours: what the kernel sends because of it (SIGXFSZ,
   SIGPIPE) is not for the program. */
extern OMEN_TLS bool omen_signal_ours;

/* SIGABRT for the calling thread. Comes back if its handler does, when all is
   written and the default is in force. */
void omen_signal_abort (void);

/* A handler that the program left by siglongjmp is over. Called if the thread
   has handlers, before it logs anything. */
void omen_signal_unwound (omen_self *self);

#endif
