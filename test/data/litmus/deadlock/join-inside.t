# A join does not order what comes before it.
# deadlock: 2-6
T1|fork(T2)|a.c:0
T1|acq(a)|a.c:1
T1|acq(b)|a.c:2
T1|rel(b)|a.c:3
T1|rel(a)|a.c:4
T2|acq(b)|a.c:5
T2|acq(a)|a.c:6
T2|rel(a)|a.c:7
T2|rel(b)|a.c:8
T1|join(T2)|a.c:9
