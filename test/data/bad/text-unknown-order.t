T1|aw.release(x=1)|f.c:1
