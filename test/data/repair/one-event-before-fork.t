T2|enter(run)|f.c:7
T1|w(x)|f.c:1
T1|fork(T2)|f.c:2
T2|r(x)|f.c:8
