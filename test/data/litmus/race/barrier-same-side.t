# Both behind the barrier.
# race: 4-5
T1|arrive(b,2)|a.c:0
T2|arrive(b,2)|a.c:1
T2|depart(b)|a.c:2
T1|depart(b)|a.c:3
T1|w(x)|a.c:4
T2|r(x)|a.c:5
