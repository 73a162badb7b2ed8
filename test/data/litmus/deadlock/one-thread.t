# Both orders in one thread.
# deadlock: none
T1|acq(a)|a.c:0
T1|acq(b)|a.c:1
T1|rel(b)|a.c:2
T1|rel(a)|a.c:3
T1|acq(b)|a.c:4
T1|acq(a)|a.c:5
T1|rel(a)|a.c:6
T1|rel(b)|a.c:7
T2|w(x)|a.c:8
