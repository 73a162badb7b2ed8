# Each half of the word has its own writer; the read can see another one in
# either.
# race: 0-2 1-2
# nondet: 2<-1:crw
T1|w(x+0:4=1)|a.c:1
T2|w(x+4:4=2)|b.c:1
T3|r(x+0:8)|c.c:1
