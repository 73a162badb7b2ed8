# Waits with a lock that another thread holds.
# misuse: 1 wait-without-lock
T1|acq(m)|a.c:0
T2|wait(c,m)|a.c:1
T1|notify(c)|a.c:2
T1|rel(m)|a.c:3
