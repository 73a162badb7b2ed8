# A reader waits for a writer.
# deadlock: 1-5
T1|acq(a)|a.c:0
T1|racq(b)|a.c:1
T1|rrel(b)|a.c:2
T1|rel(a)|a.c:3
T2|acq(b)|a.c:4
T2|racq(a)|a.c:5
T2|rrel(a)|a.c:6
T2|rel(b)|a.c:7
