T1|wait(c,l)|f.c:1
