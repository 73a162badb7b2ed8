# Who counted last reads: the other must have counted.
# race: none
*|init(n=0)|
T1|w(x=1)|a.c:0
T1|rmw(n=0:1)|a.c:1
T2|rmw(n=1:2)|a.c:2
T2|r(x=1)|a.c:3
