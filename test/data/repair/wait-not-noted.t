T1|acq(l)|f.c:1
T1|r(x=0)|f.c:2
T2|acq(l)|f.c:7
T2|w(x=1)|f.c:8
T2|rel(l)|f.c:9
T1|r(x=1)|f.c:3
T1|rel(l)|f.c:4
