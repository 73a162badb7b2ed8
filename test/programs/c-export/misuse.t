# Locks that are released by others, taken twice for good, held at the end;
# waits without their lock.
T0|fork(T1)|u.c:1
T0|acq(a)|u.c:2
T1|rel(a)|u.c:10
T1|acq(a)|u.c:11
T0|rel(a)|u.c:3
T1|tryfail(a)|u.c:12
T0|racq(rw)|u.c:4
T0|acq(rw)|u.c:5
T1|rtryfail(rw)|u.c:13
T0|rel(rw)|u.c:6
T0|rrel(rw)|u.c:7
T0|acq(w)|u.c:8
T1|wait(c,w)|u.c:14
T0|notify(c)|u.c:8
T0|rel(w)|u.c:8
T1|wake(c,w)|u.c:15
T1|acq(kept)|u.c:16
T0|join(T1)|u.c:9
