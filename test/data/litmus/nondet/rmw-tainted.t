# 1 wrote 2 because it read 1. If 2 comes between, it writes something else; so
# the read, which saw 2, can see something new in it even under value.
# race: 1-2 1-3 2-3
# nondet: 1<2:wcr 3<-1:crw 3<1:wcr
*|init(x=1)|
T1|w(y=0)|a.c:1
T1|rmw(x=1:2)|a.c:2
T2|w(x=2)|b.c:1
T3|r(x=2)|c.c:1
