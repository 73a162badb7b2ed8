/* Logs of RoadRunner, the Java race-detection framework, as its tools P
   (PrintTool) and PS (the subset that RAPID reads) print them.

     [main: RoadRunner Agent Loaded.]                    skipped, counted
     @  Start(0,1)                                       T0|fork(T1)|
     @    Acquire(1,@03)                                 T1|acq(@03)|
     @    Rd(1,@02.Deadlock.x_I)  Final  Deadlock.java:50:7
                                     T1|r(@02.Deadlock.x_I)|Deadlock.java:50:7
     @    Wr(1,@02.Deadlock.x_I)[1 -> 2]  Final  D.java:51:7      w(…=2)

   Events and their translation (t is a thread's number):
     Rd ARd Wr AWr (t,x)            r, w
     VRd VWr (VolRd VolWr) (t,x)    ar, aw: volatile is sequentially consistent
     Acquire Release (Acq Rel)      acq, rel; re-entrant ones are dropped
     Start (Fork), Join (t,u)       fork, join; P prints both twice, before and
                                    after: the first Start, the last Join count
     Wait (PreWait PostWait) (t,l)  wait(l,l) and, the next time, wake(l,l)
     Notify(t,l,all)                notify, notifyall; printed twice by P
     Enter Exit (t,method)          enter, exit
     Barrier(t,b,Enter|Exit)        arrive, depart; n is the arrivals before the
                                    first one left
     ClassInited ClassAccssed       hb, ha of the class
     Interrupt Interrupted          hb, ha of the thread's interruption

   `[old]` and `[old -> new]` after an operation are values; the last word of an
   access, and what follows `from`, is the location. A reused thread number ("…
   [tid = 1] started", or a Start after a Join) is another thread, T1#2.

   A wake without a notify counts as spurious. A read value that differs from
   the last one written in the log is dropped, since accesses and their log
   lines are not atomic together. Lines without a leading @, notes and unknown
   operations are skipped; warnings say how many. A last line without newline
   may be incomplete. */
#ifndef OMEN_IO_ROADRUNNER_H
#define OMEN_IO_ROADRUNNER_H

#include "trace/trace.h"

/* Parses `size` bytes of text. `path` is for messages, which say
   "path:line:column". Sealed, or NULL. */
omen_trace *omen_roadrunner_parse (const char *path, const char *text,
                                   size_t size, omen_err *err);

#endif
