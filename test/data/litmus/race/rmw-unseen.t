# Who counts first cannot have seen the other.
# race: 3-4
*|init(n=0)|
T1|w(x=1)|a.c:0
T1|rmw(n=0:1)|a.c:1
T2|rmw(n=1:2)|a.c:2
T2|w(y=1)|a.c:3
T1|r(y=1)|a.c:4
