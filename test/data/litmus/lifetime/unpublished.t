# The pointer is taken back under the lock, and looked up there: whoever comes
# later does not find it.
T1|alloc(p,8)
T1|w(g=&p)
T1|fork(T2)
T2|acq(m)
T2|r(g=&p)
T2|r(p+0:4)
T2|rel(m)
T1|acq(m)
T1|w(g=0)
T1|rel(m)
T1|free(p)
