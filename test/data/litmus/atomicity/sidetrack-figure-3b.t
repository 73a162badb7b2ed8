# Figure 3 (b): the culprit came inside the block.
# atomicity: A R-W-W 2-5-8
# sidetrack: in A 1-4-7 verified
# observed: A
T1|begin(A)|a.c:1
T1|acq(m)|a.c:2
T1|r(x=0)|a.c:3
T1|rel(m)|a.c:4
T2|acq(m)|b.c:1
T2|w(x=7)|b.c:2
T2|rel(m)|b.c:3
T1|acq(m)|a.c:5
T1|w(x=1)|a.c:6
T1|rel(m)|a.c:7
T1|end(A)|a.c:8
