T1|begin(A)|f.c:1
T1|end(B)|f.c:2
