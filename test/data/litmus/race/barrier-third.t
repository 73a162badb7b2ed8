# A thread of the next round needs the arrivals of this one.
# race: 6-10
T1|arrive(b,2)|a.c:0
T2|arrive(b,2)|a.c:1
T1|depart(b)|a.c:2
T2|depart(b)|a.c:3
T3|arrive(b,2)|a.c:4
T3|acq(m)|a.c:5
T3|w(x)|a.c:6
T3|rel(m)|a.c:7
T4|acq(m)|a.c:8
T4|rel(m)|a.c:9
T4|w(x)|a.c:10
