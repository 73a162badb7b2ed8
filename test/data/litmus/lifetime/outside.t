# What code that is not woven does, and what it frees, has reasons that nobody sees.
T0|alloc(p,8)
T0|alloc(q,8)
T0|fork(T1)
T1|ext(p)
T1|w(q)
T0|free(p)
T0|ext(q)
