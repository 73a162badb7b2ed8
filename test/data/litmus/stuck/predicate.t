# It looks, under the lock, at what the other thread sets under the lock.
# stuck: none
T0|fork(T1)|f.c:1
T1|acq(l)|f.c:2
T1|r(ready=0)|f.c:3
T1|wait(c,l)|f.c:4
T0|acq(l)|f.c:5
T0|w(ready=1)|f.c:6
T0|notify(c)|f.c:7
T0|rel(l)|f.c:8
T1|wake(c,l)|f.c:4
T1|r(ready=1)|f.c:3
T1|rel(l)|f.c:9
T0|join(T1)|f.c:10
