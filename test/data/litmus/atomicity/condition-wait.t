# A wait for a condition gives up its lock: what is around it is not atomic.
# atomicity: take R-W-R 2-6-9
# sidetrack: in take 1-4-8 verified
T1|begin(take)|a.c:1
T1|acq(m)|a.c:2
T1|r(full=0)|a.c:3
T1|wait(c,m)|a.c:4
T2|acq(m)|b.c:1
T2|notify(c)|b.c:2
T2|w(full=1)|b.c:3
T2|rel(m)|b.c:4
T1|wake(c,m)|a.c:4
T1|r(full=1)|a.c:5
T1|rel(m)|a.c:6
T1|end(take)|a.c:7
