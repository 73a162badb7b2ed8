# A down that failed at zero.
# race: 2-4
T1|seminit(s,0)|a.c:0
T1|fork(T2)|a.c:1
T1|w(x)|a.c:2
T2|semfail(s)|a.c:3
T2|w(x)|a.c:4
T1|up(s)|a.c:5
