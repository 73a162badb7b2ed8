/* Threads of our own, in the program: one that looks at the clock (it ends the
   recording when the time of --for is over, and with --stream writes what all
   threads have noted, every few milliseconds), one that looks whether the
   program is stuck (stuck.h). They hear nothing, take no signals and end with
   the program's last thread. */
#ifndef OMEN_RUNTIME_CORE_TIMER_H
#define OMEN_RUNTIME_CORE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

void omen_timer_start (void); /* the first, if it is needed */
/* The program's last thread ends: ours must not keep the process alive. */
void omen_timer_stop (void);

/* Make one more; who asked for `options` is told if that fails. */
void omen_own_thread (void *(*run) (void *), const char *options);
extern uint32_t omen_own_threads; /* how many there are */
/* In one of them: false, at once, when it is to end. */
bool omen_timer_sleep (uint64_t milliseconds);

#endif
