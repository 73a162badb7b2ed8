# One thread frees under the lock under which another one uses, but has let it go
# of in between. No race; the other one can use it after that.
# lifetime: 11-8
T1|alloc(p,8)
T1|w(g=&p)
T1|w(p+0:4=3)
T1|fork(T2)
T2|acq(m)
T2|r(g=&p)
T2|rel(m)
T2|acq(m)
T2|r(p+0:4=3)
T2|rel(m)
T1|acq(m)
T1|free(p)
T1|rel(m)
