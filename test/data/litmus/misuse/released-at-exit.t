# Ended with the lock released.
# misuse: none
T1|fork(T2)|a.c:0
T2|acq(m)|a.c:1
T2|rel(m)|a.c:2
T1|join(T2)|a.c:3
