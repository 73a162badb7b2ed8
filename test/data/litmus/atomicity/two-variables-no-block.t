# The same writes outside any block: each is an event of its own, and each one
# alone can come before or after both reads. SideTrack sees the locks only.
# atomicity: none
# sidetrack: after sum 1-8-4 unverified
T1|begin(sum)|a.c:1
T1|acq(m)|a.c:2
T1|r(x=0)|a.c:3
T1|rel(m)|a.c:4
T1|acq(m)|a.c:5
T1|r(y=0)|a.c:6
T1|rel(m)|a.c:7
T1|end(sum)|a.c:8
T2|acq(m)|b.c:2
T2|w(x=1)|b.c:3
T2|w(y=1)|b.c:4
T2|rel(m)|b.c:5
