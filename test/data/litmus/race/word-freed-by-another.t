# Somebody frees the word who did not take it: two can have it at once.
# race: 1-4
*|init(f=0)|
T1|rmw(f=0:1)|a.c:1
T1|w(x=1)|a.c:2
T3|aw(f=0)|c.c:1
T2|rmw(f=0:1)|b.c:1
T2|w(x=2)|b.c:2
