# The culprit of a before-error reads: in the window it would see another value
# than it saw, and nobody knows what it does then. Not even its release.
# atomicity: none
# sidetrack: before A 4-0-7 unverified
T2|acq(m)|b.c:1
T2|r(x=0)|b.c:2
T2|rel(m)|b.c:3
T1|begin(A)|a.c:1
T1|acq(m)|a.c:2
T1|w(x=1)|a.c:3
T1|rel(m)|a.c:4
T1|acq(m)|a.c:5
T1|w(x=2)|a.c:6
T1|rel(m)|a.c:7
T1|end(A)|a.c:8
