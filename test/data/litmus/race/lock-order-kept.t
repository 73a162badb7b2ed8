# They cannot: the second reads what the first wrote.
# race: none
T1|w(x)|a.c:0
T1|acq(m)|a.c:1
T1|w(y)|a.c:2
T1|rel(m)|a.c:3
T2|acq(m)|a.c:4
T2|r(y)|a.c:5
T2|rel(m)|a.c:6
T2|w(x)|a.c:7
