== an acquire that comes too early in the file
T1|acq(l)
T2|acq(l)
T1|rel(l)
T2|w(x)
T2|rel(l)
T1|w(x)
ok rf pattern 0 2 1 3 : 0 2 1 3 4 5
no rf pattern 1 : 0 1 : T1 holds l
ok rf race 3 5 : 0 2 1

== the events after it wait too, and the least index goes first
T1|acq(l)
T2|acq(l)
T2|hb(o)
T3|ha(o)
T1|rel(l)
T2|rel(l)
ok rf pattern 3 2 : 0 3 4 1 2
ok rf pattern 3 : 3

== two that wait for the same lock
T1|acq(l)
T2|acq(l)
T3|acq(l)
T2|acq(k)
T3|acq(k)
T1|rel(l)
T2|rel(k)
T2|rel(l)
T2|acq(m)
T2|acq(m)
T3|rel(l)
ok rf misuse 9 taken-twice : 0 5 1 3 6 7 2 4 8
no rf misuse 9 taken-twice : 0 5 1 3 6 7 8 : 9 events of the trace precede it, the sequence has 7
no rf misuse 9 taken-twice : 0 5 1 3 6 7 8 2 4 : is out of the order of the trace

== a reader and a wake can be early too
T1|acq(l)
T1|wait(c,l)
T2|acq(l)
T2|notify(c)
T1|wake(c,l)
T3|racq(l)
T2|rel(l)
T1|rel(l)
T3|rrel(l)
ok rf pattern 4 5 : 0 1 2 3 6 4 7 5 8
no rf pattern 4 : 0 1 2 3 4 : T2 holds l

== waiting would change what a read sees
T1|acq(l)
T2|acq(l)
T2|w(x)
T1|r(x)
T1|rel(l)
bad waiting for it would change what this read sees

== a lock that is never free
T1|acq(l)
T2|acq(l)
bad T2:0 acq(l): the lock is held by another thread and never free
