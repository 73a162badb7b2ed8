# The reader waits for the writer: nothing else can be seen.
# race: none
# nondet: none
T2|acq(l)|b.c:1
T2|wait(c,l)|b.c:2
T1|acq(l)|a.c:1
T1|w(x=1)|a.c:2
T1|notify(c)|a.c:3
T1|rel(l)|a.c:4
T2|wake(c,l)|b.c:2
T2|r(x=1)|b.c:3
T2|rel(l)|b.c:4
