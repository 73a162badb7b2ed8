# 1 has seen 0 and says so; that does not keep 5 from seeing it too.
# race: 0-1 0-4 1-4 2-3 4-5
# nondet: 1<-1:crw 1<4:wcr 3<-1:crw 5<0:wcr
T1|w(x=1)|a.c:1
T2|r(x=1)|b.c:1
T2|w(y=1)|b.c:2
T3|r(y=1)|c.c:1
T4|w(x=2)|d.c:1
T3|r(x=2)|c.c:2
