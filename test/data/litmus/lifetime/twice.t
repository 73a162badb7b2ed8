# Both free it, since nothing says that the other did.
# lifetime: 1-2 double-free, 2-1 double-free
T0|alloc(p,8)
T1|free(p)
T2|free(p)
