# Another lock is.
# stuck: none
T1|fork(T2)|f.c:1
T3|w(x)|f.c:9
T2|acq(k)|f.c:2
T2|rel(k)|f.c:3
T1|acq(l)|f.c:4
T1|join(T2)|f.c:5
T1|rel(l)|f.c:6
