# Section 7 of the JMPaX paper: the race on z that happens-before misses.
# race: 0-7
t1|w(z=1)|a.c:0
t1|acq(l)|a.c:1
t1|w(x=0)|a.c:2
t1|rel(l)|a.c:3
t2|acq(l)|a.c:4
t2|w(y=10)|a.c:5
t2|rel(l)|a.c:6
t2|w(z=0)|a.c:7
