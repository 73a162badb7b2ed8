# The pointer is its own, and freed by another one under no lock.
# lifetime: 6-4 double-free
# race: 1-2 1-3 2-4
T1|acq(m)
T1|w(g=&p)
T2|w(g=2)
T2|r(g=2)
T1|r.freed(g=2)
T1|rel(m)
T2|free(p)
