T1|acq(l)|f.c:1
T2|acq(l)|f.c:7
T2|w(x)|f.c:8
T1|r(x)|f.c:2
T1|rel(l)|f.c:3
