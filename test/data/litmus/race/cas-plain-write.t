# A plain write conflicts with a compare-exchange, whether that succeeds or not.
# race: 0-2
T1|w(x=0)|a.c:1
T1|aw(x=1)|a.c:2
T2|rmw.cas(x=1:0)|b.c:1
