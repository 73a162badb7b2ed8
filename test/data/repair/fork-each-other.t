T1|fork(T2)|f.c:1
T2|fork(T1)|f.c:7
T1|w(x)|f.c:2
