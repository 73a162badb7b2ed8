== a signal may come before the wait
T0|fork(T1)
T1|acq(l)
T1|wait(c,l)
T0|notify(c)
T1|wake(c,l)
T1|rel(l)
T0|join(T1)
ok rf,value stuck 2 6 : 0 3 1 2
ok rf,value stuck 6 2 : 0 3 1 2
no rf stuck 2 6 : 0-3 : wakes a thread that must stay blocked
no rf stuck 2 : 0 3 1 2 : neither stuck nor known to have ended
no rf stuck 6 : 0 3 1 2 : is not blocked
no rf stuck 2 6 : 0 3 1 : is not the last of its thread
no rf stuck 2 6 : 0 1 2 : is not next in its thread
no rf stuck 2 2 : 0 3 1 2 : claimed twice

== a broadcast after the wait wakes it
T1|wait(c)
T2|notifyall(c)
T1|w(x)
T0|join(T1)
T0|join(T2)
ok rf stuck 0 3 : 1 0
no rf stuck 0 3 : 0 1 : wakes a thread that must stay blocked

== a handler might help, or what the trace lacks
*|helped()|
T1|wait(c)
T2|notifyall(c)
T1|w(x)
T0|join(T1)
T0|join(T2)
no rf stuck 0 3 : 1 0 : a handler or another process may help

== a wait with a limit ends
T1|wait(c,timeout)
T2|notify(c)
T1|wake(c)
T3|wait(d)
T3|wake(d,timeout)
T0|join(T1)
T0|join(T3)
T0|join(T2)
no rf stuck 0 5 : 1 3 4 0 : is not blocked
no rf stuck 3 6 : 0-2 5 3 : is not blocked

== of two that sleep one is woken; which one is free
T1|wait(c)
T2|wait(c)
T3|notify(c)
T1|w(x)
T3|notify(c)
T2|w(x)
T0|join(T3)
T0|join(T1)
T0|join(T2)
no rf stuck 1 8 : 0 1 2 3 4 6 7 : wakes a thread that must stay blocked
ok rf stuck 1 8 : 0 2 3 4 1 6 7
ok rf stuck 0 1 7 : 2 4 0 1 6
no rf stuck 0 1 7 : 2 0 1 4 6 : wakes a thread that must stay blocked
ok rf stuck 1 8 : 0 2 4 1 3 6 7

== a signal that two could get goes to who returns
T1|wait(c)
T2|wait(c)
T3|notify(c)
T1|w(x)
T4|notify(c)
T2|w(x)
T0|join(T3)
T0|join(T4)
T0|join(T1)
T0|join(T2)
ok rf stuck 1 9 : 4 0 1 2 3 6 7 8
no rf stuck 0 1 8 : 4 0 1 2 6 7 : wakes a thread that must stay blocked

== woken, but the lock is kept
T1|acq(l)
T1|wait(c,l)
T2|notify(c)
T1|wake(c,l)
T1|rel(l)
T2|acq(l)
T2|semreq(s)
T0|joinreq(T1)
ok rf stuck 1 6 7 : 0 1 2 5 6 7
no rf stuck 1 6 : 0 1 2 5 6 7 : neither stuck

== communication deadlock
T1|acq(a)
T1|acq(l)
T1|wait(c,l)
T2|acq(l)
T2|notify(c)
T2|rel(l)
T1|wake(c,l)
T1|rel(l)
T1|rel(a)
T2|acq(a)
T2|rel(a)
T2|acq(a)
T2|acq(l)
T2|notify(c)
T2|rel(l)
T2|rel(a)
T0|join(T1)
T0|join(T2)
no rf stuck 2 9 16 : 0-2 3-5 : wakes a thread that must stay blocked
ok rf stuck 2 9 16 : 3-5 0-2
no rf stuck 2 9 : 3-5 0-2 : neither stuck nor known to have ended

== a wait whose lock is kept counts as one for the lock
T1|acq(a)
T1|acq(l)
T1|wait(c,l)
T1|wake(c,l,timeout)
T1|rel(l)
T1|rel(a)
T2|acq(l)
T2|acq(a)
T2|rel(a)
T2|rel(l)
T3|w(x)
ok rf stuck 2 7 : 0-2 6
no rf stuck 2 : 0-2 6 : is not blocked
no rf stuck 7 : 0-2 6 : is not blocked

== a lock and a join
T1|acq(l)
T1|fork(T2)
T1|rel(l)
T2|acq(l)
T2|rel(l)
T1|acq(l)
T1|join(T2)
T1|rel(l)
T3|w(x)
ok rf stuck 3 6 : 0-2 5
no rf stuck 6 : 0-2 5 : is not blocked
no rf stuck 3 : 0-2 5 : is not blocked
no rf stuck 3 6 : 0-4 5 : is not next
no rf stuck 3 6 : 0-2 : is not next

== a lock that ended with its thread
T1|acq(l)
T1|rel(l)
T2|acq(l)
T2|ended()
T3|w(x)
ok rf stuck 0 : 2-3
no rf stuck 0 : 2 : is not blocked
no rf stuck 0 : 3 2 : comes first

== its end has to be seen
T1|acq(l)
T1|rel(l)
T2|acq(l)
T2|w(x)
no rf stuck 0 : 2-3 : is not blocked

== a reader that ended keeps writers out, not readers
T1|acq(l)
T1|rel(l)
T4|racq(l)
T4|rrel(l)
T2|racq(l)
T0|join(T2)
ok rf stuck 0 : 4
no rf stuck 2 : 4 : is not blocked

== it has to have read what it read
T3|w(x=1)
T1|acq(l)
T1|rel(l)
T2|acq(l)
T2|r(x=1)
T0|join(T2)
ok value stuck 1 : 0 3-4
no value stuck 1 : 3-4 : is not blocked

== a member, too
T3|w(x=1)
T1|r(x=1)
T1|acq(l)
T1|rel(l)
T2|acq(l)
T2|ended()
ok value stuck 2 : 0 1 4-5
no value stuck 2 : 1 4-5 : which is not what it saw

== tries, limits and nested ones do not wait
T1|acq(l,try)
T1|acq(l)
T1|rel(l)
T1|rel(l)
T3|down(s,try)
T2|acq(l)
T2|ended()
no rf stuck 0 : 5-6 : is not blocked
no rf stuck 1 : 0 : is not blocked
no rf stuck 4 : 0-3 : is not blocked

== irregular locks do not count
T1|acq(l)
T2|rel(l)
T3|acq(l)
T3|rel(l)
T2|acq(l)
T2|ended()
no rf stuck 2 : 0-1 : is not blocked

== semaphores in opposite order
T0|seminit(a,1)
T0|seminit(b,1)
T0|fork(T1)
T0|fork(T2)
T1|down(a)
T1|down(b)
T1|up(b)
T1|up(a)
T2|down(b)
T2|down(a)
T2|up(a)
T2|up(b)
T0|join(T1)
T0|join(T2)
ok rf stuck 5 9 12 : 0-4 8
no rf stuck 5 9 : 0-4 8 : neither stuck
no rf stuck 5 9 12 : 0-5 : is not next
no rf stuck 4 9 12 : 0-3 8 : is not blocked
no rf stuck 4 8 : : its thread is not forked

== a semaphore that is not there yet
T0|acq(l)
T0|rel(l)
T0|seminit(s,1)
T2|down(s)
T1|acq(l)
T1|ended()
no rf stuck 0 3 : 4-5 : is not blocked
ok rf stuck 0 : 4-5

== a barrier that one does not come to
T0|fork(T1)
T0|fork(T2)
T1|acq(l)
T1|arrive(b,2)
T2|arrive(b,2)
T1|depart(b)
T2|depart(b)
T1|rel(l)
T2|acq(l)
T2|rel(l)
T0|join(T1)
T0|join(T2)
no rf stuck 3 4 10 : 0-4 : is not blocked
no rf stuck 3 10 : 0-3 : neither stuck
no rf stuck 3 4 10 : 0-3 : is not the last

== a barrier, the first round complete
T1|arrive(b,2)
T2|arrive(b,2)
T1|depart(b)
T2|depart(b)
T1|arrive(b,2)
T2|arrive(b,2)
T2|depart(b)
T1|depart(b)
T1|acq(l)
T1|ended()
T2|acq(k)
T2|ended()
no rf stuck 0 1 : 0-3 : is not the last
no rf stuck 0 1 : 0-1 : is not blocked

== requests that were never granted
T1|acq(a)
T2|acq(b)
T1|req(b)
T2|joinreq(T1)
ok rf stuck 2 3 : 0-3
no rf stuck 2 : 0-3 : is not blocked

== a request that was granted later
T1|req(b)
T1|acq(b)
T1|rel(b)
T2|acq(b)
T2|ended()
no rf stuck 0 : 0 3 4 : was granted
ok rf stuck 1 : 0 3 4

== semreq
T1|semreq(s)
T0|joinreq(T1)
ok rf stuck 0 1 : 0-1
ok rf stuck 0 1 : 1 0
no rf stuck 0 : 0-1 : neither stuck

== what is no waiting
T1|w(x)
T1|arrive(b,1)
T1|depart(b)
no rf stuck 0 : : is not blocked
no rf stuck 2 : 0-1 : is not blocked

== a thread that is forked by none of them is not there
T0|fork(T1)
T0|wait(c)
T1|notify(c)
T0|w(x)
T0|fork(T2)
T2|notify(c)
T0|join(T1)
ok rf stuck 1 : 0 2 1

== its own lock
T1|acq(l)
T1|req(l)
T2|w(x)
ok rf stuck 1 : 0-1

== it reads its own lock: who knows what it asks for
T1|racq(l)
T1|req(l)
no rf stuck 1 : 0-1 : is not blocked

== who asks for an irregular lock
T1|acq(l)
T2|rel(l)
T2|acq(l)
T2|ended()
T3|req(l)
no rf stuck 4 : 0-4 : is not blocked

== who returns by itself takes no notify from others
T1|wait(c)
T2|wait(c)
T3|notify(c)
T1|wake(c,spurious)
T2|w(x)
T0|join(T1)
T0|join(T3)
T0|join(T2)
no rf stuck 1 7 : 0-3 5 6 : wakes a thread that must stay blocked
ok rf stuck 1 7 : 0 2 1 3 5 6

== each returns in time
T1|wait(c)
T2|wait(c)
T3|notify(c)
T1|w(x)
T3|notify(c)
T2|w(x)
T4|wait(c)
T0|join(T1)
T0|join(T2)
T0|join(T3)
T0|joinreq(T4)
ok rf stuck 6 10 : 0-10
ok rf stuck 6 10 : 1 0 2-10

== a try of a semaphore
T3|down(s,try)
T3|up(s)
T2|down(s)
T2|ended()
T0|join(T3)
no rf stuck 0 4 : 2 3 : is not blocked

== a semaphore that is not 0
T1|up(s)
T1|semreq(s)
no rf stuck 1 : 0-1 : is not blocked

== a thread stands in one place
T1|wait(c)
T2|notify(c)
T1|acq(l)
T1|rel(l)
T2|acq(l)
T2|ended()
ok rf stuck 0 : 1 4 5 0
no rf stuck 0 2 : 1 4 5 0 : claimed twice

== who arrives and goes on does not wait
T1|arrive(b,2)
T1|w(x)
T2|arrive(d,2)
T0|join(T1)
T0|joinreq(T2)
no rf stuck 0 3 : 0 : is not blocked
no rf stuck 2 4 : 0 1 2 3 4 : is not blocked
