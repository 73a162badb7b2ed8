T1|arrive(b,0)|f.c:1
