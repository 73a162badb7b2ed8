# The same with the lock held for writing: nothing comes between.
# race: none
# nondet: none
T1|acq(l)|a.c:1
T1|w(x=1)|a.c:2
T1|r(x=1)|a.c:3
T1|rel(l)|a.c:4
T2|acq(l)|b.c:1
T2|w(x=2)|b.c:2
T2|rel(l)|b.c:3
