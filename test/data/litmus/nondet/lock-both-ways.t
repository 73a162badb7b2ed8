# Two writers and a reader, each in the lock: whoever is last before the reader.
# The reader stays inside, so the write it saw can only come before or not at all.
# race: none
# nondet: 7<-1:cr 7<1:wcr
T1|acq(l)|a.c:1
T1|w(x=1)|a.c:2
T1|rel(l)|a.c:3
T2|acq(l)|b.c:1
T2|w(x=2)|b.c:2
T2|rel(l)|b.c:3
T3|acq(l)|c.c:1
T3|r(x=2)|c.c:2
T3|rel(l)|c.c:3
