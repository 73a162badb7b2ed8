# As lost-wakeup, but a thread is there of which nobody knows that it ended.
# stuck: none
T0|fork(T1)|f.c:1
T2|w(x)|f.c:9
T1|acq(l)|f.c:2
T1|wait(c,l)|f.c:3
T0|notify(c)|f.c:4
T1|wake(c,l)|f.c:3
T1|rel(l)|f.c:5
T0|join(T1)|f.c:6
