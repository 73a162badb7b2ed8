# The word keeps them apart, but taking it does not synchronise.
# order: 1-4
*|init(f=0)|
T1|rmw.rlx(f=0:1)|a.c:1
T1|w(x=1)|a.c:2
T1|aw.rlx(f=0)|a.c:3
T2|rmw.rlx(f=0:1)|b.c:1
T2|w(x=2)|b.c:2
T2|aw.rlx(f=0)|b.c:3
