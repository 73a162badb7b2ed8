/* --for: a thread of ours that ends the recording when its time is over. */
#ifndef OMEN_RUNTIME_TIMER_H
#define OMEN_RUNTIME_TIMER_H

void omen_timer_start (void); /* if there is a limit */
/* The program's last thread ends: ours must not keep the process alive. */
void omen_timer_stop (void);

#endif
