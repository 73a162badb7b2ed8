# The sections of a semaphore used as a lock change places.
# race: 3-7
T1|seminit(s,1)|a.c:0
T1|fork(T2)|a.c:1
T1|down(s)|a.c:2
T1|w(x)|a.c:3
T1|up(s)|a.c:4
T2|down(s)|a.c:5
T2|up(s)|a.c:6
T2|w(x)|a.c:7
