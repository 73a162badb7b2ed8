T1|rrel(l)|f.c:1
