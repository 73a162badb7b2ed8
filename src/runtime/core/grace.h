/* --exit-grace: a program that ends while other threads still run gives them a
   moment, so that threads which had no time to do anything are seen to do it.

     main returns, or exit is called
     … the others run on, at most so many milliseconds …
     handlers of atexit, destructors, the end

   Over at once when every other thread has ended or is blocked: it sleeps in
   the kernel, and not until some time. Under a schedule the others go on there,
   for so many points as a point counts for microseconds. No replay, _exit,
   abort or death by a signal has it. */
#ifndef OMEN_RUNTIME_CORE_GRACE_H
#define OMEN_RUNTIME_CORE_GRACE_H

/* The calling thread is about to end the program in the usual way. Only the
   first one that comes here returns: the exit status is its. */
void omen_grace (void);

#endif
