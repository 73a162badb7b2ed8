# Who used it has ended.
T0|alloc(p,8)
T0|fork(T1)
T1|r(p)
T0|join(T1)
T0|free(p)
