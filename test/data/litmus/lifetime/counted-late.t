# A thread counts itself in when the other one may have counted down to nothing.
# lifetime value: 8-4
T0|alloc(p,8)
T0|aw(p+0:4=1)
T0|fork(T1)
T0|fork(T2)
T1|rmw(p+0:4=1:2)
T1|r(p+4:4)
T1|rmw(p+0:4=2:1)
T2|rmw(p+0:4=1:0)
T2|free(p)
