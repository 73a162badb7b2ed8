# The wait may end by itself.
# race: 2-6
T2|acq(m)|a.c:0
T2|wait(c,m)|a.c:1
T1|w(x)|a.c:2
T1|notify(c)|a.c:3
T2|wake(c,m,timeout)|a.c:4
T2|rel(m)|a.c:5
T2|r(x)|a.c:6
