# The notify comes after both waits, as each has seen x before it was written; it
# may wake either, and only the first thread wakes the other one.
# stuck: 2
T1|acq(l)|f.c:1
T1|r(x=0)|f.c:2
T1|wait(c,l)|f.c:3
T2|acq(l)|f.c:11
T2|r(x=0)|f.c:12
T2|wait(c,l)|f.c:13
T3|acq(l)|f.c:21
T3|w(x=1)|f.c:22
T3|notify(c)|f.c:23
T3|rel(l)|f.c:24
T1|wake(c,l)|f.c:3
T1|rel(l)|f.c:4
T1|notify(c)|f.c:5
T2|wake(c,l)|f.c:13
T2|rel(l)|f.c:14
T1|ended()|f.c:6
T2|ended()|f.c:15
T3|ended()|f.c:25
