# After the join there is one value only.
# race: none
# nondet: none
T0|fork(T1)|m.c:1
T1|w(x=1)|a.c:1
T0|join(T1)|m.c:2
T0|r(x=1)|m.c:3
