T1|fork(T2)|f.c:1
T2|w(x=1)|f.c:7
T1|join(T2)|f.c:2
T1|r(x=1)|f.c:3
