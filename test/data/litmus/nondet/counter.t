# Each section reads what the one before wrote: the order of the sections cannot
# change but at its end. Under value too, since no value comes twice.
# race: none
# nondet: 5<-1:cr 9<2:cr
*|init(n=0)|
T1|acq(l)|a.c:1
T1|r(n=0)|a.c:2
T1|w(n=1)|a.c:3
T1|rel(l)|a.c:4
T2|acq(l)|a.c:1
T2|r(n=1)|a.c:2
T2|w(n=2)|a.c:3
T2|rel(l)|a.c:4
T1|acq(l)|a.c:1
T1|r(n=2)|a.c:2
T1|w(n=3)|a.c:3
T1|rel(l)|a.c:4
