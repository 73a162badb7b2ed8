# Nothing depends on the read of y, so it may see anything.
# race rf: 1-2
# race value: 1-2
# race sliced: 0-3 1-2
T1|w(x=1)|a.c:1
T1|w(y=1)|a.c:2
T2|r(y=1)|b.c:1
T2|r(x=1)|b.c:2
T3|r(z=0)|c.c:1
T3|branch()|c.c:2<-0
