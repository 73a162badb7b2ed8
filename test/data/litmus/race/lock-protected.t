# Both in the lock: it excludes them.
# race: none
T1|acq(m)|a.c:0
T1|w(x)|a.c:1
T1|rel(m)|a.c:2
T2|acq(m)|a.c:3
T2|w(x)|a.c:4
T2|rel(m)|a.c:5
