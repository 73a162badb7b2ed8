T1|seminit(s,0)|f.c:1
T2|down(s)|f.c:7
T1|up(s)|f.c:2
T2|semfail(s)|f.c:8
T2|tryfail(l)|f.c:9
T1|arrive(b,2)|f.c:3
T1|depart(b)|f.c:4
T2|end(B)|f.c:10
