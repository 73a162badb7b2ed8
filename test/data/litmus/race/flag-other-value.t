# The other thread sets it to something else: no help.
# race: 1-2 1-3 2-3
T1|w(x=1)|a.c:0
T3|w(flag=2)|a.c:1
T1|w(flag=1)|a.c:2
T2|r(flag=1)|a.c:3
T2|w(x=2)|a.c:4
