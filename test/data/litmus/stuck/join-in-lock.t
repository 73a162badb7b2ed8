# The lock is held while a thread is joined that may still want it.
# stuck: 2-5
T1|fork(T2)|f.c:1
T3|w(x)|f.c:9
T2|acq(l)|f.c:2
T2|rel(l)|f.c:3
T1|acq(l)|f.c:4
T1|join(T2)|f.c:5
T1|rel(l)|f.c:6
