T1|racq(l)|f.c:1
T2|rtryfail(l)|f.c:7
