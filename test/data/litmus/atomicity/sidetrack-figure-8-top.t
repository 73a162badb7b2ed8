# Figure 8, top: the synchronization on n comes between the acquires of m. No
# violation, but the two threads can block each other.
# atomicity: none
# sidetrack: none
# deadlock: 1-7
T2|acq(m)|b.c:1
T2|acq(n)|b.c:2
T2|w(x=5)|b.c:3
T2|rel(n)|b.c:4
T2|rel(m)|b.c:5
T1|begin(A)|a.c:1
T1|acq(n)|a.c:2
T1|acq(m)|a.c:3
T1|r(x=5)|a.c:4
T1|rel(m)|a.c:5
T1|acq(m)|a.c:6
T1|w(x=1)|a.c:7
T1|rel(m)|a.c:8
T1|rel(n)|a.c:9
T1|end(A)|a.c:10
