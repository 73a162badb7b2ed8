# A word taken by exchange and given back keeps two threads apart, whatever the
# number of times before; so it does if a third one only looks.
*|init(f=0)|
T1|rmw.acq(f=0:1)|a.c:1
T1|w(x=1)|a.c:2
T1|aw.rel(f=0)|a.c:3
T2|rmw.acq(f=0:1)|b.c:1
T2|w(x=2)|b.c:2
T3|ar.rlx(f=1)|c.c:1
T2|rmw.rel(f=1:0)|b.c:3
T1|rmw.acq(f=0:1)|a.c:1
T1|w(x=1)|a.c:2
T1|aw.rel(f=0)|a.c:3
