T1|racq(l)|f.c:1
T2|racq(l)|f.c:4
T3|acq(l)|f.c:7
T3|w(x)|f.c:8
T3|rel(l)|f.c:9
