T1|alloc(p)|f.c:1
