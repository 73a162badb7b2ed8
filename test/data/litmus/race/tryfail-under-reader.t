# A try for reading does not fail because of a reader: it needs the writer, who
# has written before.
# race: 1-5
# order: 3-7
T3|racq(l)|a.c:0
T3|w(z)|a.c:1
T3|rrel(l)|a.c:2
T1|w(x)|a.c:3
T1|acq(l)|a.c:4
T2|r(z)|a.c:5
T2|rtryfail(l)|a.c:6
T2|w(x)|a.c:7
T1|rel(l)|a.c:8
