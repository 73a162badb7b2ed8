T1|w(x|f.c:1
