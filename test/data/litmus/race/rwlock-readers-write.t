# Writing under the reader side does not exclude.
# race: 1-4
T1|racq(l)|a.c:0
T1|w(x)|a.c:1
T1|rrel(l)|a.c:2
T2|racq(l)|a.c:3
T2|r(x)|a.c:4
T2|rrel(l)|a.c:5
