# Made free before anybody can take it: a lock.
T1|w(f=0)|a.c:1
T1|fork(T2)|a.c:2
T2|rmw(f=0:1)|b.c:1
T2|w(x=2)|b.c:2
T2|aw(f=0)|b.c:3
T1|rmw(f=0:1)|a.c:3
T1|w(x=1)|a.c:4
T1|aw(f=0)|a.c:5
