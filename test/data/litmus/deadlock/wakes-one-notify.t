# The three would wait for each other if both wakes had been notified; the second
# notify comes from T1 after its wake, so one notify would have to serve both.
# The first acquires can still block; and who waits needs its lock, woken or not.
# deadlock: 1-8-15 4-8-15 1-11-15
# stuck: 1-9-15 2-8-15 2-9-15
T1|acq(a)|f.c:1
T1|acq(b)|f.c:2
T1|wait(c,b)|f.c:3
T4|notify(c)|f.c:4
T1|wake(c,b)|f.c:3
T1|rel(b)|f.c:5
T1|rel(a)|f.c:6
T2|acq(b)|f.c:7
T2|acq(d)|f.c:8
T2|wait(c,d)|f.c:9
T1|notify(c)|f.c:10
T2|wake(c,d)|f.c:9
T2|rel(d)|f.c:11
T2|rel(b)|f.c:12
T3|acq(d)|f.c:13
T3|acq(a)|f.c:14
T3|rel(a)|f.c:15
T3|rel(d)|f.c:16
