T1|tryfail(l)|f.c:1
