T0|fork(T1)|f.c:1
T0|fork(T2)|f.c:2
T1|fork(T2)|f.c:5
T2|w(x)|f.c:7
