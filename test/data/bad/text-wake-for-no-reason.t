T1|wait(c,l)|f.c:1
T1|wake(c,l,bored)|f.c:1
