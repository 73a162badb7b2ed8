== events before the fork
T2|w(x)
T1|fork(T2)
bad T2:0 w(x): its thread is not forked yet

== events after the join
T1|fork(T2)
T1|join(T2)
T2|w(x)
bad T1:1 join(T2): event 0 of that thread is missing

== forked twice
T1|fork(T2)
T1|fork(T2)
bad forks a thread twice

== forking and joining oneself
T1|fork(T1)
bad T1:0 fork(T1): its thread is not forked yet

== joining oneself
T1|join(T1)
bad event 0 of that thread is missing

== released by nobody
T1|rel(l)
bad T1:0 rel(l): nobody holds the lock

== released twice
T1|acq(l)
T1|rel(l)
T1|rel(l)
bad T1:2 rel(l): nobody holds the lock

== wake without wait
T1|wake(c,l)
bad does not follow a wait of its condition

== wake of another condition
T1|acq(l)
T1|wait(c,l)
T1|wake(d,l)
bad does not follow a wait of its condition

== wake with another lock
T1|acq(l)
T1|acq(k)
T1|wait(c,l)
T1|wake(c,k,timeout)
bad acquires another lock than its wait released

== something between wait and wake
T1|acq(l)
T1|wait(c,l)
T1|w(x)
bad T1:2 w(x): stands between a wait and its wake

== a wake that nobody notified
T1|acq(l)
T1|wait(c,l)
T1|wake(c,l)
bad no notify is left

== one notify for two
T1|wait(c)
T2|wait(c)
T3|notify(c)
T1|wake(c)
T2|wake(c)
bad T2:1 wake(c): no notify is left

== a value that nobody wrote
T1|w(x=1)
T2|r(x=2)
bad T2:0 r(x=2): its value is not that of T1:0 w(x=1), which it sees

== two early reads that disagree
T1|r(x=1)
T2|r(x=2)
bad its value is not that of the initial value

== a count below zero
T1|seminit(s,0)
T1|down(s)
bad the count is 0

== a failed try with the count above zero
T1|up(s)
T1|semfail(s)
bad the count is 1, not 0

== a try that failed for no reason
T1|tryfail(l)
bad nobody holds l

== a try for reading that failed under readers
T1|racq(l)
T2|rtryfail(l)
bad T2:0 rtryfail(l): 1 threads hold l for reading

== depart without arrive
T1|depart(b)
bad departs without having arrived

== depart before the round is full
T1|arrive(b,2)
T1|depart(b)
bad its round is not complete

== two sizes in one round
T1|arrive(b,2)
T2|arrive(b,3)
bad another number of threads

== a dependence on what is no read
T1|w(x)
T1|w(y)<-0
bad which is no read

== a dependence on what is no branch
T1|r(x)
T1|w(y)^0
bad which is no branch

== a dependence on the future
T1|w(y)<-0
bad depends on an event that is not earlier
