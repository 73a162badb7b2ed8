# Figure 4 of the nondeterminism paper: 7 cannot see 0 instead of 1, since it only
# happens behind 5, which read what was written after 1.
# race: 3-5
# nondet: 5<-1:crw
T1|w(x=1)|a.c:1
T1|w(x=2)|a.c:2
T1|acq(l)|a.c:3
T1|w(y=1)|a.c:4
T1|rel(l)|a.c:5
T2|r(y=1)|b.c:1
T2|acq(l)|b.c:2
T2|r(x=2)|b.c:3
T2|rel(l)|b.c:4
