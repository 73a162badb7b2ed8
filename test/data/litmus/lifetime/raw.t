# An object is published before it is written, each under the lock.
# lifetime: 0-10 use-before-init
T1|alloc.raw(p,8)
T1|acq(m)
T1|w(g=&p)
T1|rel(m)
T1|acq(m)
T1|w(p+0:4=7)
T1|rel(m)
T1|fork(T3)
T2|acq(m)
T2|r(g=&p)
T2|r(p+0:4=7)
T2|rel(m)
