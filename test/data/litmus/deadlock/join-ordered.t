# The parent goes on when the child is done.
# deadlock: none
T1|fork(T2)|a.c:0
T2|acq(b)|a.c:1
T2|acq(a)|a.c:2
T2|rel(a)|a.c:3
T2|rel(b)|a.c:4
T1|join(T2)|a.c:5
T1|acq(a)|a.c:6
T1|acq(b)|a.c:7
T1|rel(b)|a.c:8
T1|rel(a)|a.c:9
