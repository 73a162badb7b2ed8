== a lock that another thread releases keeps the order of the trace
T1|acq(l)
T2|rel(l)
T3|acq(l)
T3|rel(l)
T4|w(x)
ok rf pattern 0 1 2 : 0-3
ok rf pattern 4 0 1 : 4 0 1
no rf pattern 1 : 1 : operations on the irregular lock l keep the order of the trace
no rf pattern 2 : 2 : irregular
no rf pattern 2 : 0 2 : irregular

== nested operations on an irregular lock keep the order too
T1|acq(l)
T1|acq(l)
T2|rel(l)
T1|rel(l)
T1|rel(l)
ok rf pattern 0 4 : 0-4
no rf pattern 2 : 0 2 : irregular
no rf pattern 3 : 0 1 3 : irregular

== taken for writing under the own read lock
T1|racq(l)
T1|acq(l)
T2|tryfail(l)
T1|rel(l)
T1|rrel(l)
T3|racq(l)
T3|rrel(l)
ok rf pattern 0 2 6 : 0-6
no rf pattern 5 : 5 : irregular
no rf pattern 2 : 0 2 : irregular
no rf pattern 3 : 0 1 3 : irregular

== released in the other mode
T1|racq(l)
T1|rel(l)
T1|rrel(l)
T2|acq(l)
ok rf pattern 1 3 : 0-3
no rf pattern 3 : 3 : irregular

== waited on without its lock
T1|acq(l)
T2|wait(c,l)
T1|notify(c)
T1|rel(l)
T2|wake(c,l)
T3|acq(l)
ok rf pattern 1 4 5 : 0-5
no rf pattern 5 : 5 : irregular
no rf pattern 1 : 1 : irregular
no rf pattern 4 : 0-2 4 : irregular

== waited on with a lock that nobody holds
T1|acq(l)
T1|rel(l)
T2|wait(c,l)
T2|wake(c,l,timeout)
T3|acq(l)
ok rf pattern 2 4 : 0-4
no rf pattern 4 : 4 : irregular
no rf pattern 2 : 2 : irregular

== taken back while it was never given up
T1|acq(l)
T1|wait(c)
T2|notify(c)
T1|wake(c,l)
T1|rel(l)
T3|acq(l)
ok rf pattern 3 5 : 0-5
no rf pattern 5 : 5 : irregular
