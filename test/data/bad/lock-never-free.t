T1|acq(l)|f.c:1
T2|acq(l)|f.c:7
T2|rel(l)|f.c:8
