# Ended with the lock held.
# misuse: 2 held-at-exit
T1|fork(T2)|a.c:0
T2|acq(m)|a.c:1
T1|join(T2)|a.c:2
