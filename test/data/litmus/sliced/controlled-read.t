# The second read happens because of the first.
# race: 1-2
T1|w(x=1)|a.c:1
T1|w(y=1)|a.c:2
T2|r(y=1)|b.c:1
T2|branch()|b.c:2<-0
T2|r(x=1)|b.c:3^1
