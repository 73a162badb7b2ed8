# Another write of the same value is news under rf only.
# race: 0-1 0-2 1-2
# nondet rf: 2<-1:crw 2<0:wcr
# nondet value: 2<-1:crw
T1|w(x=1)|a.c:1
T2|w(x=1)|b.c:1
T3|r(x=1)|c.c:1
