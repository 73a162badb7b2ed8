|w(x)|f.c:1
