# What a thread asked for, and the end of one.
T0|seminit(s,1)|e.c:1
T0|fork(T1)|e.c:2
T1|semreq(s)|e.c:3
T1|down(s)|e.c:3
T1|w(x=1)|e.c:4
T1|ended()|e.c:5
T0|joinreq(T1)|e.c:6
T0|join(T1)|e.c:6
T0|r(x=1)|e.c:7
