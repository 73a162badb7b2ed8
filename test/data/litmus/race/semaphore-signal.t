# A down that needs the up.
# race: none
T1|seminit(s,0)|a.c:0
T1|fork(T2)|a.c:1
T1|w(x)|a.c:2
T1|up(s)|a.c:3
T2|down(s)|a.c:4
T2|r(x)|a.c:5
