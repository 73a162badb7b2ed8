# C gives the lock up between its writes, B does not: C is broken, and B, which
# runs in one piece inside it, is not.
# atomicity: C W1-W2'-W1'-W2 8-2-3-11
# sidetrack: before C 7-1-10 verified
T1|begin(B)|1
T1|acq(l)|2
T1|w(x=1)|3
T1|w(y=1)|4
T1|rel(l)|5
T1|end(B)|6
T2|begin(C)|11
T2|acq(l)|12
T2|w(y=2)|13
T2|rel(l)|14
T2|acq(l)|15
T2|w(x=2)|16
T2|rel(l)|17
T2|end(C)|18
