# Figure 1 of the nondeterminism paper: race-free, yet the read depends on which
# thread gets the lock first.
# race: none
# nondet: 4<-1:cr
T1|acq(l)|a.c:1
T1|w(x=1)|a.c:2
T1|rel(l)|a.c:3
T2|acq(l)|b.c:1
T2|r(x=1)|b.c:2
T2|rel(l)|b.c:3
