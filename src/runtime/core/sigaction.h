/* The signal actions that the program has set. */
#ifndef OMEN_RUNTIME_CORE_SIGACTION_H
#define OMEN_RUNTIME_CORE_SIGACTION_H

#include <signal.h>
#include <stdbool.h>

/* The program's action for a signal that is about to be handled; applies
   SA_RESETHAND. */
void omen_sigaction_take (int number, struct sigaction *action);

/* Does the program handle any signal? */
bool omen_sigaction_handles (void);

int omen_sigaction_real (int number, const struct sigaction *action,
                         struct sigaction *old);

/* The handler that the kernel calls instead. */
void omen_signal_arrived (int number, siginfo_t *info, void *context);

#endif
