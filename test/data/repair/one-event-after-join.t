T1|fork(T2)|f.c:1
T2|enter(run)|f.c:6
T2|w(x)|f.c:7
T1|join(T2)|f.c:2
T1|r(x)|f.c:3
T2|exit(run)|f.c:8
