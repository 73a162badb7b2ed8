# The flag had that value from the start.
# race rf: 1-2
# race value: 1-2 0-3
*|init(flag=1)|
T1|w(x=1)|a.c:0
T1|w(flag=1)|a.c:1
T2|r(flag=1)|a.c:2
T2|w(x=2)|a.c:3
