# Figure 7: the clock of thread 0 goes up at each release; thread 1 has seen it
# at an earlier time, which is not enough to be after the window.
# race: none
# atomicity: A W-W-R 6-12-9
# sidetrack: after A 5-11-8 verified
T0|acq(k)|a.c:1
T0|rel(k)|a.c:2
T1|acq(k)|b.c:1
T1|rel(k)|b.c:2
T0|begin(A)|a.c:3
T0|acq(m)|a.c:4
T0|w(x=1)|a.c:5
T0|rel(m)|a.c:6
T0|acq(m)|a.c:7
T0|r(x=1)|a.c:8
T0|rel(m)|a.c:9
T1|acq(m)|b.c:3
T1|w(x=2)|b.c:4
T1|rel(m)|b.c:5
T0|end(A)|a.c:10
