T1|seminit(s,2)|f.c:1
T2|semfail(s)|f.c:7
