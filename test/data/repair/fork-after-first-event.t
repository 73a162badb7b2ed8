T1|w(x)|f.c:1
T2|r(x)|f.c:7
T2|w(y)|f.c:8
T1|fork(T2)|f.c:2
T1|w(z)|f.c:3
T2|r(z)|f.c:9
