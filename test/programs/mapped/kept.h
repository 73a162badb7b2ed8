/* A library that is not woven. */
#ifndef OMEN_TEST_MAPPED_KEPT_H
#define OMEN_TEST_MAPPED_KEPT_H

void kept_start (long *table, int size, volatile long *ticks);
void kept_step (int turn);
void kept_stop (void);

#endif
