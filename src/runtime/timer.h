/* A thread of ours that looks at the clock: it ends the recording when the time
   of --for is over, and with --stream writes what all threads have noted, every
   few milliseconds. */
#ifndef OMEN_RUNTIME_TIMER_H
#define OMEN_RUNTIME_TIMER_H

void omen_timer_start (void); /* if one of these is asked for */
/* The program's last thread ends: ours must not keep the process alive. */
void omen_timer_stop (void);

#endif
