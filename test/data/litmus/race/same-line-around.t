# One source line before and after the other thread's access.
# race: 0-1 1-2
T1|w(x)|f.c:7
T2|w(x)|a.c:1
T1|w(x)|f.c:7
