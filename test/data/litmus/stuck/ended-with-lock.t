# A thread ends with the lock, this time after the other one has had it.
# misuse: 3 held-at-exit
# stuck: 0
T1|acq(l)|f.c:1
T1|rel(l)|f.c:2
T2|acq(l)|f.c:3
T2|ended()|f.c:4
T3|w(x)|f.c:5
