# A race, told as what it comes to: used after another thread freed it.
# lifetime: 3-2
T1|alloc(p,8)|a.c:0
T1|fork(T2)|a.c:1
T2|w(p)|a.c:2
T1|free(p)|a.c:3
