T1|write(x)|f.c:1
