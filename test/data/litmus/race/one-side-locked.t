# A lock on one side only protects nothing.
# race: 1-3
T1|acq(m)|a.c:0
T1|w(x)|a.c:1
T1|rel(m)|a.c:2
T2|w(x)|a.c:3
