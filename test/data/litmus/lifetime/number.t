# The same with a small number, which is an index into a table, say: the thread
# goes on as it did, to the block that is no more.
# lifetime value: 9-5
T0|alloc(p,8)
T0|w(h=7)
T0|fork(T1)
T1|acq(m)
T1|r(h=7)
T1|w(p)
T1|rel(m)
T0|acq(m)
T0|w(h=0)
T0|free(p)
T0|w(h=7)
T0|rel(m)
