# It goes to the barrier with the lock that the other one needs on its way.
# stuck: 0-6
T1|acq(l)|f.c:1
T1|rel(l)|f.c:2
T0|fork(T2)|f.c:3
T0|w(x)|f.c:4
T2|acq(l)|f.c:5
T1|arrive(b,2)|f.c:6
T2|arrive(b,2)|f.c:7
T2|depart(b)|f.c:7
T1|depart(b)|f.c:6
T2|rel(l)|f.c:8
T1|ended()|f.c:9
T2|ended()|f.c:10
T0|ended()|f.c:11
