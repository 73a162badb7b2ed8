# The next round waits for this one.
# race: none
T1|w(x)|a.c:0
T1|arrive(b,2)|a.c:1
T2|arrive(b,2)|a.c:2
T2|depart(b)|a.c:3
T1|depart(b)|a.c:4
T2|arrive(b,2)|a.c:5
T1|arrive(b,2)|a.c:6
T1|depart(b)|a.c:7
T2|depart(b)|a.c:8
T2|w(x)|a.c:9
