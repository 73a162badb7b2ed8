# One request is still open.
# deadlock: 1-6
T2|acq(a)|a.c:0
T2|acq(b)|a.c:1
T2|rel(b)|a.c:2
T2|rel(a)|a.c:3
T3|acq(a)|a.c:4
T1|acq(b)|a.c:5
T1|req(a)|a.c:6
