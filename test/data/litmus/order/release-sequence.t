# An rmw of another thread carries the release on.
# race: none
# order: none
*|init(f=0)|
T1|w(x=1)|a.c:0
T1|aw.rel(f=1)|a.c:1
T3|rmw.rlx(f=1:2)|a.c:2
T2|ar.acq(f=2)|a.c:3
T2|r(x=1)|a.c:4
