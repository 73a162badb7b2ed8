# Together with the plain read the compare-exchange sees the 0 that it wants.
# race: 0-1
T1|r(x=0)|a.c:1
T2|rmw.cas(x=0:1)|b.c:1
