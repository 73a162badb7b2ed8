# A try for reading fails under the writer only.
# race: none
# order: 2-5
T3|racq(l)|a.c:0
T3|rrel(l)|a.c:1
T1|w(x)|a.c:2
T1|acq(l)|a.c:3
T2|rtryfail(l)|a.c:4
T2|w(x)|a.c:5
T1|rel(l)|a.c:6
