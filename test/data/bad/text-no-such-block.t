T1|alloc(p,8)|f.c:1
T1|w(p~2=1)|f.c:2
