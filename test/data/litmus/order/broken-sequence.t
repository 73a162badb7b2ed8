# A store of another thread does not.
# race: none
# order: 0-5
# note: release store at a.c:3 is relaxed
*|init(f=0)|
T1|w(x=1)|a.c:0
T1|aw.rel(f=1)|a.c:1
T3|ar.rlx(f=1)|a.c:2
T3|aw.rlx(f=2)|a.c:3
T2|ar.acq(f=2)|a.c:4
T2|r(x=1)|a.c:5
