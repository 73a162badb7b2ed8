# The try failed: it comes while the lock is held.
# race: none
# order: 0-3
T1|w(x)|a.c:0
T1|acq(m)|a.c:1
T2|tryfail(m)|a.c:2
T2|w(x)|a.c:3
T1|rel(m)|a.c:4
