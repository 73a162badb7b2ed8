# Only the second time the line runs is it unprotected.
# race: 4-6
T1|acq(m)|a.c:0
T1|r(x)|f.c:7
T1|rel(m)|a.c:2
T2|acq(m)|a.c:3
T2|w(x)|a.c:4
T2|rel(m)|a.c:5
T1|r(x)|f.c:7
