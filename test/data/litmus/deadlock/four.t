# Four threads in a circle.
# deadlock: 1-5-9-13
T1|acq(a)|a.c:0
T1|acq(b)|a.c:1
T1|rel(b)|a.c:2
T1|rel(a)|a.c:3
T2|acq(b)|a.c:4
T2|acq(c)|a.c:5
T2|rel(c)|a.c:6
T2|rel(b)|a.c:7
T3|acq(c)|a.c:8
T3|acq(d)|a.c:9
T3|rel(d)|a.c:10
T3|rel(c)|a.c:11
T4|acq(d)|a.c:12
T4|acq(a)|a.c:13
T4|rel(a)|a.c:14
T4|rel(d)|a.c:15
