# Before the write of 1 the compare-exchange would fail: the read cannot see what
# it writes.
# nondet: 2<-1:crw
T1|ar(x=0)|a.c:1
T1|aw(x=1)|a.c:2
T2|rmw.cas(x=1:2)|b.c:1
