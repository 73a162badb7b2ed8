T1|join(T1)|f.c:1
