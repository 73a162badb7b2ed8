/* A thread that ends gives up the robust mutexes that it holds. */
#ifndef OMEN_RUNTIME_HOOKS_ROBUST_H
#define OMEN_RUNTIME_HOOKS_ROBUST_H

/* The calling thread is about to end: notes their release. Under a schedule it
   does for them what the kernel would do a little later, so that who waits goes
   on in its turn. */
void omen_robust_end (void);

#endif
