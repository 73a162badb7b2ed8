# N sees that P waits, so its signal comes after that wait; Q may get it. The signal
# that wakes P in the end may come before.
# stuck: 5-23 8-22
T0|fork(P)|f.c:1
T0|fork(Q)|f.c:2
T0|fork(N)|f.c:3
P|acq(l)|f.c:4
P|w(waits=1)|f.c:5
P|wait(c,l)|f.c:6
T0|fork(M)|f.c:7
Q|acq(l)|f.c:8
Q|wait(c,l)|f.c:9
N|acq(l)|f.c:10
N|r(waits=1)|f.c:11
N|notify(c)|f.c:12
N|rel(l)|f.c:13
Q|wake(c,l)|f.c:9
Q|rel(l)|f.c:14
M|acq(l)|f.c:15
M|notify(c)|f.c:16
M|rel(l)|f.c:17
P|wake(c,l)|f.c:6
P|rel(l)|f.c:18
T0|join(N)|f.c:19
T0|join(M)|f.c:20
T0|join(Q)|f.c:21
T0|join(P)|f.c:22
