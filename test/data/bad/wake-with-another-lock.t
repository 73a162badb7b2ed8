T1|acq(l)|f.c:1
T1|wait(c,l)|f.c:2
T2|notify(c)|f.c:7
T1|wake(c,k)|f.c:2
