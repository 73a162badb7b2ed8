T1|acq(l)|f.c:1
T1|rel(l)|f.c:2
T2|rel(l)|f.c:7
