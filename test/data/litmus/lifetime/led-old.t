# The block is freed, and only then another one put in its place.
# lifetime: 4-10
T0|w(g=&p)
T0|fork(T1)
T0|fork(T2)
T1|acq(m)
T1|free(p)
T1|rel(m)
T1|acq(m)
T1|w(g=&q)
T1|rel(m)
T2|acq(m)
T2|r.followed(g=&q)
T2|rel(m)
