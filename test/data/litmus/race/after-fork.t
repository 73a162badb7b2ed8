# The parent goes on after the fork.
# race: 1-2
T1|fork(T2)|a.c:0
T2|w(x)|a.c:1
T1|r(x)|a.c:2
