# The second only goes on when it sees the first done.
# race: 2-5
# deadlock: none
T1|acq(a)|a.c:0
T1|acq(b)|a.c:1
T1|w(done=1)|a.c:2
T1|rel(b)|a.c:3
T1|rel(a)|a.c:4
T2|r(done=1)|a.c:5
T2|acq(b)|a.c:6
T2|acq(a)|a.c:7
T2|rel(a)|a.c:8
T2|rel(b)|a.c:9
