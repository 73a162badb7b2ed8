# Both free what the pointer leads to; the second one saw that it was gone.
# lifetime: 4-10 double-free
T0|w(g=&p)
T0|fork(T1)
T0|fork(T2)
T1|acq(m)
T1|free(p)
T1|rel(m)
T1|acq(m)
T1|w(g=0)
T1|rel(m)
T2|acq(m)
T2|r.freed(g=0)
T2|rel(m)
