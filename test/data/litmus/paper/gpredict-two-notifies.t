# Two waits and two notifies: behind both wakes another thread's write is
# free.
# race: 16-17
T1|acq(l)|a.c:0
T1|wait(g,l)|a.c:1
T2|acq(l)|a.c:2
T2|wait(g,l)|a.c:3
T3|acq(l)|a.c:4
T3|notify(g)|a.c:5
T3|rel(l)|a.c:6
T1|wake(g,l)|a.c:7
T1|w(a)|a.c:8
T1|rel(l)|a.c:9
T3|w(x)|a.c:10
T3|notify(g)|a.c:11
T2|wake(g,l)|a.c:12
T2|r(a)|a.c:13
T2|rel(l)|a.c:14
T2|w(x)|a.c:15
T2|w(z)|a.c:16
T4|w(z)|a.c:17
