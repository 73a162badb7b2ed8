# A later store of the same thread carries it on.
# race: none
# order: none
*|init(f=0)|
T1|w(x=1)|a.c:0
T1|aw.rel(f=1)|a.c:1
T1|aw.rlx(f=2)|a.c:2
T2|ar.acq(f=2)|a.c:3
T2|r(x=1)|a.c:4
