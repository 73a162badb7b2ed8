/* Logs of RoadRunner, the Java race-detection framework, as its tools P
   (PrintTool) and PS (the subset that RAPID reads) print them.

     [main: RoadRunner Agent Loaded.]                    skipped, counted
     @  Start(0,1)                                       T0|fork(T1)|
     @    Acquire(1,@03)                                 T1|acq(@03)|
     @    Rd(1,@02.Deadlock.x_I)  Final  Deadlock.java:50:7
                                     T1|r(@02.Deadlock.x_I)|Deadlock.java:50:7
     @    Wr(1,@02.Deadlock.x_I)[1 -> 2]  Final  D.java:51:7      w(…=2)

   Events and what becomes of them (t is a thread's number):
     Rd ARd Wr AWr (t,x)            r, w
     VRd VWr (VolRd VolWr) (t,x)    ar, aw: volatile is sequentially consistent
     Acquire Release (Acq Rel)      acq, rel; re-entrant ones are dropped
     Start (Fork), Join (t,u)       fork, join; P prints both twice, before and
                                    after: the first Start, the last Join count
     Wait (PreWait PostWait) (t,l)  wait(l,l) and, the next time, wake(l,l)
     Notify(t,l,all)                notify, notifyall; printed twice by P
     Enter Exit (t,method)          enter, exit
     Barrier(t,b,Enter|Exit)        arrive, depart; n is who came before the
                                    first one left
     ClassInited ClassAccssed       hb, ha of the class
     Interrupt Interrupted          hb, ha of the thread's interruption

   What else may follow: `[old]`, `[old -> new]` give values; the last word of
   an access and what follows `from` are the location. A thread number that is
   used again ("… [tid = 1] started", or a Start after a Join) is another
   thread, T1#2.

   A wake that no notify explains is taken as spurious. A value that differs
   from the one written last, by the order of the log, is dropped: the log is
   printed beside the access, not with it. Lines without a leading @, notes and
   unknown operations are skipped; warnings say how many of each. A last line
   without newline may be cut short. */
#ifndef OMEN_IO_ROADRUNNER_H
#define OMEN_IO_ROADRUNNER_H

#include "trace/trace.h"

/* Parse `size` bytes of text. `path` only for messages. Sealed or NULL; a
   message says "path:line:column". */
omen_trace *omen_roadrunner_parse (const char *path, const char *text,
                                   size_t size, omen_err *err);

#endif
