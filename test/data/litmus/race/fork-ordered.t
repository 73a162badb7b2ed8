# The child starts after the write.
# race: none
T1|w(x)|a.c:0
T1|fork(T2)|a.c:1
T2|r(x)|a.c:2
