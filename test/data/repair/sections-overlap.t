T1|acq(l)|f.c:1
T2|acq(l)|f.c:7
T1|w(x=1)|f.c:2
T2|r(x=1)|f.c:8
T2|w(x=2)|f.c:8
T1|r(x=2)|f.c:3
T2|rel(l)|f.c:9
T1|rel(l)|f.c:4
