T1|fork(T2)|f.c:1
T1|w(x)|f.c:2
T1|fork(T2)|f.c:3
T2|r(x)|f.c:7
