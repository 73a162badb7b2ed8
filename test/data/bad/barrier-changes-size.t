T1|arrive(b,2)|f.c:1
T2|arrive(b,3)|f.c:7
