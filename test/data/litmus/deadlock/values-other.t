# Somebody else can have told it so.
# race: 0-3 0-6 3-6
# deadlock rf: none
# deadlock value: 2-8
T3|w(done=1)|a.c:0
T1|acq(a)|a.c:1
T1|acq(b)|a.c:2
T1|w(done=1)|a.c:3
T1|rel(b)|a.c:4
T1|rel(a)|a.c:5
T2|r(done=1)|a.c:6
T2|acq(b)|a.c:7
T2|acq(a)|a.c:8
T2|rel(a)|a.c:9
T2|rel(b)|a.c:10
