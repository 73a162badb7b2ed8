# Waits with a lock that nobody holds.
# misuse: 0 wait-without-lock
T2|wait(c,m)|a.c:1
T2|wake(c,m,timeout)|a.c:1
T1|acq(m)|a.c:2
T1|rel(m)|a.c:3
