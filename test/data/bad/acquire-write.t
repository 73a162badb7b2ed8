T1|aw.acq(x=0)|f.c:1
