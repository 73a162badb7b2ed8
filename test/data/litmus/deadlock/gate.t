# The same inside a third lock.
# deadlock: none
T1|acq(g)|a.c:0
T1|acq(a)|a.c:1
T1|acq(b)|a.c:2
T1|rel(b)|a.c:3
T1|rel(a)|a.c:4
T1|rel(g)|a.c:5
T2|acq(g)|a.c:6
T2|acq(b)|a.c:7
T2|acq(a)|a.c:8
T2|rel(a)|a.c:9
T2|rel(b)|a.c:10
T2|rel(g)|a.c:11
