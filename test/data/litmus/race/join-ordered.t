# Read after the join of the writer.
# race: none
T1|fork(T2)|a.c:0
T2|w(x)|a.c:1
T1|join(T2)|a.c:2
T1|r(x)|a.c:3
