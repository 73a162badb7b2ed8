# Two threads that wait for each other at the end, one that waits for itself.
T0|fork(T1)|d.c:1
T0|fork(T2)|d.c:2
T1|acq(a)|d.c:10
T2|acq(b)|d.c:20
T1|req(b)|d.c:11
T2|req(a)|d.c:21
T0|acq(own)|d.c:3
T0|w(x=1)|d.c:3
T0|req(own)|d.c:4
