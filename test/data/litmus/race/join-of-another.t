# The join waits for the wrong thread.
# race: 2-5
T1|fork(T2)|a.c:0
T1|fork(T3)|a.c:1
T2|w(x)|a.c:2
T3|w(y)|a.c:3
T1|join(T3)|a.c:4
T1|r(x)|a.c:5
