T1|join(T2)|f.c:1
T1|fork(T2)|f.c:2
