T1|rel(l)|f.c:1
T1|acq(l)|f.c:2
T1|w(x)|f.c:3
T1|rel(l)|f.c:4
T2|rel(l)|f.c:8
T2|rrel(m)|f.c:9
