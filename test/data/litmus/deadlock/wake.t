# The wake wants its lock back while holding another.
# deadlock: 1-8 4-8
# stuck: 2-8
T1|acq(b)|a.c:0
T1|acq(a)|a.c:1
T1|wait(c,a)|a.c:2
T2|notify(c)|a.c:3
T1|wake(c,a)|a.c:4
T1|rel(a)|a.c:5
T1|rel(b)|a.c:6
T2|acq(a)|a.c:7
T2|acq(b)|a.c:8
T2|rel(b)|a.c:9
T2|rel(a)|a.c:10
