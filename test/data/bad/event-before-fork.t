T2|w(x)|f.c:7
T1|fork(T2)|f.c:1
