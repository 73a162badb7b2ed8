T1|wait(c)|f.c:1
T2|wait(c)|f.c:1
T3|notify(c)|f.c:7
T1|wake(c)|f.c:1
T2|wake(c)|f.c:1
