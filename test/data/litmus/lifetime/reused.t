# Two blocks that follow each other under a name: what uses the second one has
# nothing to do with the end of the first.
T0|alloc(p,8)
T0|w(g=&p)
T0|free(p)
T0|alloc(p,8)
T0|w(g=&p)
T0|fork(T1)
T1|r(g=&p)
T1|w(p)
