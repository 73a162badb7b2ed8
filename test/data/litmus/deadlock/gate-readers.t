# A gate held for reading keeps nobody out.
# deadlock: 2-8
T1|racq(g)|a.c:0
T1|acq(a)|a.c:1
T1|acq(b)|a.c:2
T1|rel(b)|a.c:3
T1|rel(a)|a.c:4
T1|rrel(g)|a.c:5
T2|racq(g)|a.c:6
T2|acq(b)|a.c:7
T2|acq(a)|a.c:8
T2|rel(a)|a.c:9
T2|rel(b)|a.c:10
T2|rrel(g)|a.c:11
