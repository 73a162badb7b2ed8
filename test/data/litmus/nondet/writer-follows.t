# The write that was seen can still follow the read; behind the lock it cannot.
# race: 0-4
# nondet: 4<-1:crw 6<-1:cr
T1|w(x=1)|a.c:1
T1|acq(l)|a.c:2
T1|w(y=1)|a.c:3
T1|rel(l)|a.c:4
T2|r(x=1)|b.c:1
T2|acq(l)|b.c:2
T2|r(y=1)|b.c:3
T2|rel(l)|b.c:4
