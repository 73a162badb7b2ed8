# Stuck on a lock of its own.
# misuse: 1 taken-twice
T1|acq(m)|a.c:0
T1|req(m)|a.c:1
T2|w(x)|a.c:2
