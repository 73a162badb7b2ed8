T1|w(x=5)|f.c:1
T2|r(x=6)|f.c:7
