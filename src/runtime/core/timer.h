/* Threads of the runtime in the program: one watches the clock (it ends the
   recording when the time of --for is over, and with --stream writes all logs
   every few milliseconds), one checks whether the program is stuck (stuck.h).
   They record nothing, take no signals, and end with the program's last
   thread. */
#ifndef OMEN_RUNTIME_CORE_TIMER_H
#define OMEN_RUNTIME_CORE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

void omen_timer_start (void); /* the first, if it is needed */
/* The program's last thread ends: ours must not keep the process alive. */
void omen_timer_stop (void);

/* Starts one more; a failure is reported to whoever asked for `options`. */
void omen_own_thread (void *(*run) (void *), const char *options);
extern uint32_t omen_own_threads; /* how many there are */
/* In such a thread: sleeps until the next tick. Returns false at once if the
   thread has to end. */
bool omen_timer_sleep (uint64_t milliseconds);

#endif
