# The lock is taken because of x, which was written because of y: 0 is over before
# 9 can come.
# race: 1-2
T4|w(k=1)|d.c:1
T4|w(y=1)|d.c:2
T2|r(y=1)|b.c:1
T2|w(x=1)|b.c:2<-0
T2|hb(o)|b.c:3
T1|ha(o)|a.c:1
T1|r(x=1)|a.c:2
T1|acq(l)|a.c:3<-1
T1|rel(l)|a.c:4
T1|w(k=2)|a.c:5
