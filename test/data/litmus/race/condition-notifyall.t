# Two waits, one notifyall.
# race: none
T2|acq(m)|a.c:0
T2|wait(c,m)|a.c:1
T3|acq(m)|a.c:2
T3|wait(c,m)|a.c:3
T1|w(x)|a.c:4
T1|notifyall(c)|a.c:5
T2|wake(c,m)|a.c:6
T2|rel(m)|a.c:7
T3|wake(c,m)|a.c:8
T3|rel(m)|a.c:9
T3|r(x)|a.c:10
