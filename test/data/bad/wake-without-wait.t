T1|wake(c)|f.c:1
