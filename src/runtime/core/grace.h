/* --exit-grace: when a program ends while other threads still run, they get a
   limited time, so that work for which a thread had no time so far is recorded,
   too.

     main returns, or exit is called
     … the others run on, at most so many milliseconds …
     handlers of atexit, destructors, the end

   It ends early when every other thread has ended or is blocked in the kernel
   without a time limit. Under a schedule that time is counted in scheduling
   points, at a fixed number of microseconds a point. Replays, _exit, abort and
   deaths by signal have none. */
#ifndef OMEN_RUNTIME_CORE_GRACE_H
#define OMEN_RUNTIME_CORE_GRACE_H

/* The calling thread is about to end the program by exit or by returning from
   main. Only the first thread that calls this returns from it; its exit status
   is the program's. */
void omen_grace (void);

#endif
