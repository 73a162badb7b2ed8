# Both hold the lock for reading: the other write can come between.
# race: 1-5 2-5
# nondet: 2<5:wcr
T1|racq(l)|a.c:1
T1|w(x=1)|a.c:2
T1|r(x=1)|a.c:3
T1|rrel(l)|a.c:4
T2|racq(l)|b.c:1
T2|w(x=2)|b.c:2
T2|rrel(l)|b.c:3
