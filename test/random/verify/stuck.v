== a condition that nobody notifies, and who waits for its thread
T0|fork(T1)
T1|acq(l)
T1|wait(c,l,stuck)
T0|joinreq(T1,stuck)
ok rf,value stuck 2 3 : 0-3
ok rf,value stuck 3 2 : 0-3
no rf stuck 2 : 0-3 : 2 threads are stuck, not 1
no rf stuck 2 3 : 0-2 : is not the last of its thread
no rf stuck 1 3 : 0-3 : is not next in its thread
no rf stuck 2 2 : 0-3 : claimed twice
no rf deadlock 2 3 : 0-3 : is no blocking request

== in the order of the trace
T0|r(x)
T1|acq(l)
T1|req(l,stuck)
T0|w(y)
ok rf stuck 2 : 0-3
no rf stuck 2 : 1 0 2 3 : out of the order of the trace

== it was notified before
T1|notifyall(c)
T1|notify(c)
T2|acq(l)
T2|wait(c,l,stuck)
ok rf stuck 3 : 0-3

== a broadcast wakes it
T2|acq(l)
T2|wait(c,l,stuck)
T1|notifyall(c)
no rf stuck 1 : 0-2 : a notify wakes it

== but its lock is held
T2|acq(l)
T2|wait(c,l,stuck)
T1|acq(l)
T1|notifyall(c)
T1|notify(c)
ok rf stuck 1 : 0-4

== a signal wakes it
T2|acq(l)
T2|wait(c,l,stuck)
T1|notify(c)
no rf stuck 1 : 0-2 : a notify wakes it

== a signal of another condition does not
T2|acq(l)
T2|wait(c,l,stuck)
T1|notify(d)
T1|notifyall(d)
ok rf stuck 1 : 0-3

== a signal wakes another one, who returns
T2|acq(l)
T2|wait(c,l,stuck)
T3|acq(l)
T3|wait(c,l)
T1|notify(c)
T3|wake(c,l)
T3|rel(l)
ok rf stuck 1 : 0-6

== two signals: the other one is awake by then
T2|acq(l)
T2|wait(c,l,stuck)
T3|acq(l)
T3|wait(c,l)
T1|notify(c)
T1|notify(c)
T3|wake(c,l)
T3|rel(l)
no rf stuck 1 : 0-7 : a notify wakes it

== the other one has returned by itself before the signal
T2|acq(l)
T2|wait(c,l,stuck)
T3|acq(l)
T3|wait(c,l)
T3|wake(c,l,timeout)
T3|rel(l)
T1|notify(c)
no rf stuck 1 : 0-6 : a notify wakes it

== one signal for two that never return wakes one of them
T2|wait(c,stuck)
T3|wait(c,stuck)
T1|notify(c)
no rf stuck 0 1 : 0-2 : a notify wakes it

== a signal before the second of them
T2|wait(c)
T1|notify(c)
T2|wake(c)
T3|wait(c,stuck)
ok rf stuck 3 : 0-3

== a lock that is free
T1|acq(l)
T1|rel(l)
T2|req(l,stuck)
no rf stuck 2 : 0-2 : nobody holds the lock

== locks in any mode, of any thread
T1|acq(l)
T2|racq(k)
T2|req(k,stuck)
T3|req(l,stuck)
T4|req(k,stuck)
ok rf stuck 2 3 4 : 0-4
no rf deadlock 2 4 : 0 1 : does not hold

== a lock that the wait gave up
T1|acq(l)
T1|wait(c,l,stuck)
T2|req(l,stuck)
no rf stuck 1 2 : 0-2 : nobody holds the lock

== an irregular lock: who takes it last
T1|acq(l)
T2|rel(l)
T3|acq(l)
T1|rel(l)
T1|acq(l)
T2|req(l,stuck)
ok rf stuck 5 : 0-5

== an irregular lock that was given up last
T1|acq(l)
T2|rel(l)
T3|acq(l)
T3|rel(l)
T2|req(l,stuck)
no rf stuck 4 : 0-4 : nobody holds the lock

== a semaphore
T1|seminit(s,1)
T1|down(s)
T2|semreq(s,stuck)
T1|semreq(s,stuck)
ok rf stuck 2 3 : 0-3

== a semaphore that has a unit
T1|seminit(s,1)
T2|semreq(s,stuck)
T1|down(s)
T1|up(s)
no rf stuck 1 : 0-3 : the semaphore is not 0

== a semaphore of which the start is not known
T1|up(s)
T1|down(s)
T1|down(s)
T2|semreq(s,stuck)
ok rf stuck 3 : 0-3

== a semaphore that is made while somebody asks: no rule speaks of that
T2|semreq(s)
T1|seminit(s,0)
T1|semreq(s,stuck)
ok rf stuck 2 : 0-2
ok rf pattern 1 0 : 1 0

== a barrier, second round
T1|arrive(b,2)
T2|arrive(b,2)
T1|depart(b)
T1|arrive(b,2,stuck)
ok rf stuck 3 : 0-3

== a barrier that is full
T1|arrive(b,2,stuck)
T2|arrive(b,2)
no rf stuck 0 : 0-1 : its round is complete

== a barrier that is full for those who came last
T1|arrive(b,2)
T2|arrive(b,2)
T3|arrive(b,2)
T4|arrive(b,2,stuck)
no rf stuck 3 : 0-3 : its round is complete

== threads
T1|fork(T2)
T2|w(x)
T1|joinreq(T2,stuck)
no rf stuck 2 : 0-2 : the thread has ended

== a thread that waits for itself, and who waits for that
T1|joinreq(T1,stuck)
T2|joinreq(T1,stuck)
ok rf stuck 0 1 : 0-1

== what does not say so
T1|acq(l)
T2|req(l)
no rf stuck 1 : 0-1 : is not blocked

== it waits no more
T1|arrive(b,3,stuck)
T1|w(x)
no rf stuck 0 : 0-1 : is not the last of its thread

== a request of its own lock is misuse, if the run did not end there
T1|acq(l)
T1|req(l)
T2|acq(k)
T2|req(k,stuck)
ok rf misuse 1 taken-twice : 0
no rf misuse 3 taken-twice : 0-2 : this is not taken-twice

== ended with a lock
T1|acq(l)
T1|ended()
T2|acq(k)
T2|rel(k)
T2|ended()
T3|acq(m)
T3|ended()
T3|w(x)
ok rf misuse 1 held-at-exit : 0
no rf misuse 4 held-at-exit : 0-3 : this is not held-at-exit
no rf misuse 6 held-at-exit : 0-5 : this is not held-at-exit
