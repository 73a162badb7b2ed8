T1|ar.rel(x=0)|f.c:1
