# One source line, once inside and once outside of the lock.
# race: 3-5
T1|acq(m)|a.c:0
T1|w(x)|f.c:7
T1|rel(m)|a.c:2
T1|w(x)|f.c:7
T2|acq(m)|a.c:4
T2|w(x)|a.c:5
T2|rel(m)|a.c:6
