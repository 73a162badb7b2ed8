T1|w.rel(x=1)|f.c:1
