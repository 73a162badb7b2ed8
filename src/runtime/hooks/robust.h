/* A thread that ends gives up the robust mutexes that it holds. */
#ifndef OMEN_RUNTIME_HOOKS_ROBUST_H
#define OMEN_RUNTIME_HOOKS_ROBUST_H

/* The calling thread is about to end: logs the release of its robust mutexes.
   Under a schedule it releases them as the kernel would a little later, so that
   waiters go on in their turn. */
void omen_robust_end (void);

#endif
