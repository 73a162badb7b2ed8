T1|w(x=5)|f.c:1
T2|rmw(x=6:7)|f.c:7
