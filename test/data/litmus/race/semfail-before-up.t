# A down that failed comes before an up seen before it.
# race: 3-6
T1|seminit(s,0)|a.c:0
T1|fork(T2)|a.c:1
T1|up(s)|a.c:2
T1|w(x)|a.c:3
T1|down(s)|a.c:4
T2|semfail(s)|a.c:5
T2|w(x)|a.c:6
