# The same without the second look at the pointer.
# lifetime value: 11-7
T0|alloc(p,8)
T0|aw(g=&p)
T0|aw(h=0)
T0|fork(T1)
T0|fork(T2)
T1|ar(g=&p)
T1|aw(h=&p)
T1|r(p+0:4)
T1|aw(h=0)
T2|aw(g=0)
T2|ar(h=0)
T2|free(p)
