# Freed after the join.
# race: none
T1|alloc(p,8)|a.c:0
T1|fork(T2)|a.c:1
T2|w(p)|a.c:2
T1|join(T2)|a.c:3
T1|free(p)|a.c:4
