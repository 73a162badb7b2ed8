# Figure 5: the second thread synchronizes on m only because it read b from the
# first one, after the block.
# atomicity: none
# sidetrack: none
T1|begin(A)|a.c:1
T1|acq(m)|a.c:2
T1|r(x=0)|a.c:3
T1|rel(m)|a.c:4
T1|acq(m)|a.c:5
T1|w(x=1)|a.c:6
T1|rel(m)|a.c:7
T1|end(A)|a.c:8
T1|acq(n)|a.c:9
T1|w(b=1)|a.c:10
T1|rel(n)|a.c:11
T2|acq(n)|b.c:1
T2|r(b=1)|b.c:2
T2|rel(n)|b.c:3
T2|acq(m)|b.c:4
T2|w(x=5)|b.c:5
T2|rel(m)|b.c:6
