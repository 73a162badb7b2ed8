== taken twice
T1|acq(l)
T1|acq(l)
T1|rel(l)
T1|rel(l)
T2|acq(l)
T2|rel(l)
ok rf misuse 1 taken-twice : 0
no rf misuse 0 taken-twice : : this is not taken-twice
no rf misuse 4 taken-twice : 0-3 : this is not taken-twice
no rf misuse 1 taken-twice : : 1 events of the trace precede it, the sequence has 0
no rf misuse 1 taken-twice : 0 1 : 1 events of the trace precede it, the sequence has 2
no rf misuse 1 not-holder : 0 : this is not not-holder
no rf misuse 1 taken-twice : 4 : out of the order of the trace

== reading under the own write lock and the reverse
T1|acq(l)
T1|racq(l)
T1|rrel(l)
T1|rel(l)
T2|racq(k)
T2|racq(k)
T2|acq(k)
ok rf misuse 1 taken-twice : 0
ok rf misuse 6 taken-twice : 0-5
no rf misuse 5 taken-twice : 0-4 : this is not taken-twice

== asked for what the thread holds, and never got it
T1|acq(l)
T2|racq(k)
T2|req(k)
T1|req(l)
ok rf misuse 3 taken-twice : 0-2
no rf misuse 2 taken-twice : 0 1 : this is not taken-twice

== released by another thread
T1|acq(l)
T2|rel(l)
T1|rel(l)
ok rf misuse 1 not-holder : 0
no rf misuse 2 not-holder : 0 1 : this is not not-holder

== released in the wrong mode
T1|racq(l)
T1|rel(l)
ok rf misuse 1 not-holder : 0

== destroyed while held
T1|acq(l)
T1|destroy(l)
T1|rel(l)
T2|destroy(l)
T2|racq(k)
T3|destroy(k)
T3|destroy(x)
ok rf misuse 1 destroyed-held : 0
no rf misuse 3 destroyed-held : 0-2 : this is not destroyed-held
ok rf misuse 5 destroyed-held : 0-4
no rf misuse 6 destroyed-held : 0-5 : this is not destroyed-held

== memory with the name of a lock is another thing, whichever block it is
T1|alloc(l,48)
T1|alloc(l,48)
T1|acq(l)
T1|free(l)
T1|free(l~0)
T1|destroy(k)
T1|destroy(l)
T1|rel(l)
no rf misuse 3 destroyed-held : 0-2 : this is not destroyed-held
no rf misuse 4 destroyed-held : 0-3 : this is not destroyed-held
no rf misuse 5 destroyed-held : 0-4 : this is not destroyed-held
ok rf misuse 6 destroyed-held : 0-5

== a lock given up by a wait is not held
T1|acq(l)
T1|wait(c,l)
T2|destroy(l)
no rf misuse 2 destroyed-held : 0 1 : this is not destroyed-held

== waited on without its lock
T1|acq(l)
T2|wait(c,l)
T1|wait(c,l)
ok rf misuse 1 wait-without-lock : 0
no rf misuse 2 wait-without-lock : 0 1 : this is not wait-without-lock

== waited on with a lock that nobody holds
T1|acq(l)
T1|rel(l)
T2|wait(c,l)
T2|wake(c,l,timeout)
T1|acq(l)
ok rf misuse 2 wait-without-lock : 0 1
no rf misuse 3 wait-without-lock : 0-2 : this is not wait-without-lock

== held at the end of its thread
T1|fork(T2)
T1|fork(T3)
T2|acq(l)
T3|racq(k)
T3|rrel(k)
T1|join(T3)
T1|join(T2)
ok rf misuse 6 held-at-exit : 0-5
no rf misuse 5 held-at-exit : 0-4 : this is not held-at-exit
no rf misuse 2 held-at-exit : 0 1 : this is not held-at-exit
