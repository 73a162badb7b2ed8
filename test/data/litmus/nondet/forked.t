# What the parent writes before the fork is seen, or what a sibling writes.
# race: 3-4
# nondet: 3<4:wcr
T0|w(x=1)|m.c:1
T0|fork(T1)|m.c:2
T0|fork(T2)|m.c:3
T1|r(x=1)|a.c:1
T2|w(x=2)|b.c:1
