T1|seminit(s,0)|f.c:1
T2|down(s)|f.c:7
