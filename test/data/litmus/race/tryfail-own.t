# A try of one's own lock fails whatever others do.
# race: 2-6
T1|acq(m)|a.c:0
T1|tryfail(m)|a.c:1
T1|w(x)|a.c:2
T1|rel(m)|a.c:3
T2|acq(m)|a.c:4
T2|rel(m)|a.c:5
T2|w(x)|a.c:6
