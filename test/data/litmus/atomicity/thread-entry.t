# main and the first function of a forked thread are not meant to be atomic; what
# they call is.
# atomicity: step R-W-W 7-19-10
# sidetrack: after step 6-18-9 verified
T0|enter(main)|a.c:1
T0|fork(T1)|a.c:2
T0|fork(T2)|a.c:3
T1|enter(worker)|a.c:10
T1|enter(step)|a.c:11
T2|enter(other)|a.c:40
T1|acq(m)|a.c:12
T1|r(x=0)|a.c:13
T1|rel(m)|a.c:14
T1|acq(m)|a.c:15
T1|w(x=1)|a.c:16
T1|rel(m)|a.c:17
T1|exit(step)|a.c:18
T1|acq(m)|a.c:19
T1|w(z=1)|a.c:20
T1|rel(m)|a.c:21
T1|exit(worker)|a.c:22
T2|r(t=0)|a.c:30
T2|acq(m)|a.c:31
T2|w(x=5)|a.c:32
T2|w(z=5)|a.c:33
T2|rel(m)|a.c:34
T2|exit(other)|a.c:35
T0|join(T1)|a.c:4
T0|join(T2)|a.c:5
