# The same, but another thread sets the flag to the same value.
# race rf: 0-2 0-3 2-3
# race value: 0-2 0-3 2-3 1-4
T3|w(flag=1)|a.c:0
T1|w(x=1)|a.c:1
T1|w(flag=1)|a.c:2
T2|r(flag=1)|a.c:3
T2|w(x=2)|a.c:4
