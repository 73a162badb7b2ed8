# Figure 8, bottom, a trap: the rules report it. But in the window T2 would hold
# m and need n, which T1 holds, and T1 needs m: only a deadlock.
# atomicity: none
# sidetrack: after A 2-10-5 refuted
# deadlock: 2-12 5-12
T1|begin(A)|a.c:1
T1|acq(n)|a.c:2
T1|acq(m)|a.c:3
T1|r(x=0)|a.c:4
T1|rel(m)|a.c:5
T1|acq(m)|a.c:6
T1|w(x=1)|a.c:7
T1|rel(m)|a.c:8
T1|rel(n)|a.c:9
T1|end(A)|a.c:10
T2|acq(m)|b.c:1
T2|w(x=5)|b.c:2
T2|acq(n)|b.c:3
T2|rel(n)|b.c:4
T2|rel(m)|b.c:5
