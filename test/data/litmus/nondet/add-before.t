# As cas-fails, but a fetch-and-add writes whatever it reads.
# nondet: 0<2:wcr 2<-1:crw
T1|ar(x=0)|a.c:1
T1|aw(x=1)|a.c:2
T2|rmw(x=1:2)|b.c:1
