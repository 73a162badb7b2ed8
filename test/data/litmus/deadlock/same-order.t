# Two locks in one order.
# deadlock: none
T1|acq(a)|a.c:0
T1|acq(b)|a.c:1
T1|rel(b)|a.c:2
T1|rel(a)|a.c:3
T2|acq(a)|a.c:4
T2|acq(b)|a.c:5
T2|rel(b)|a.c:6
T2|rel(a)|a.c:7
