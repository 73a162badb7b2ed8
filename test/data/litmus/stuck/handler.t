# The handler of a signal may notify.
# stuck: none
*|helped()|
T0|fork(T1)|f.c:1
T1|acq(l)|f.c:2
T1|wait(c,l)|f.c:3
T0|notify(c)|f.c:4
T1|wake(c,l)|f.c:3
T1|rel(l)|f.c:5
T0|join(T1)|f.c:6
