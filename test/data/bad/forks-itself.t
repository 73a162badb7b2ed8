T1|fork(T1)|f.c:1
