# A signal for one of two kinds of waiters: the wrong one may get it.
# stuck: 3-11 3-4-10 4-10
T0|fork(P)|f.c:1
T0|fork(Q)|f.c:2
T0|fork(N)|f.c:3
P|wait(c)|f.c:4
Q|wait(c)|f.c:5
N|notify(c)|f.c:6
Q|w(x)|f.c:7
N|notify(c)|f.c:8
P|w(y)|f.c:9
T0|join(N)|f.c:10
T0|join(Q)|f.c:11
T0|join(P)|f.c:12
