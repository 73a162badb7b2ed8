# What it waits for is set without the lock, between its look and its wait.
# race: 2-4
# stuck: 3-9
T0|fork(T1)|f.c:1
T1|acq(l)|f.c:2
T1|r(ready=0)|f.c:3
T1|wait(c,l)|f.c:4
T0|w(ready=1)|f.c:5
T0|notify(c)|f.c:6
T1|wake(c,l)|f.c:4
T1|r(ready=1)|f.c:3
T1|rel(l)|f.c:7
T0|join(T1)|f.c:8
