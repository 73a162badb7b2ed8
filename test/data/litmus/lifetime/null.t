# A pointer is looked at and fetched once more; in between it may be taken away.
# lifetime: 9-6 null
T1|w(g=&q)
T1|fork(T2)
T2|acq(m)
T2|r(g=&q)
T2|rel(m)
T2|acq(m)
T2|r.followed(g=&q)
T2|rel(m)
T1|acq(m)
T1|w(g=0)
T1|rel(m)
