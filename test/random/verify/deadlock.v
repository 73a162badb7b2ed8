== two locks in opposite order
T1|acq(a)
T1|acq(b)
T1|rel(b)
T1|rel(a)
T2|acq(b)
T2|acq(a)
T2|rel(a)
T2|rel(b)
ok rf,value,lattice deadlock 1 5 : 0 4
ok rf deadlock 5 1 : 4 0
no rf deadlock 1 5 : 0 : claim: T1:1 acq(b): T2 does not hold b against it
no rf deadlock 5 1 : 0 : claim: T2:1 acq(a): event 0 of its thread comes first
no rf deadlock 1 5 : : event 0 of its thread comes first
no rf deadlock 1 4 : 0 : T2 does not hold b against it
no rf deadlock 2 5 : 0 4 : is no blocking request

== a gate lock keeps it from happening
T1|acq(g)
T1|acq(a)
T1|acq(b)
T1|rel(b)
T1|rel(a)
T1|rel(g)
T2|acq(g)
T2|acq(b)
T2|acq(a)
T2|rel(a)
T2|rel(b)
T2|rel(g)
no rf deadlock 2 8 : 0 1 6 7 : T1 holds g
no rf deadlock 2 8 : 0 1 : T2 does not hold b

== a cycle of three
T1|acq(a)
T1|acq(b)
T1|rel(b)
T1|rel(a)
T2|acq(b)
T2|acq(c)
T2|rel(c)
T2|rel(b)
T3|acq(c)
T3|acq(a)
T3|rel(a)
T3|rel(c)
ok rf deadlock 1 5 9 : 0 4 8
no rf deadlock 1 9 5 : 0 4 8 : T3 does not hold b against it
no rf deadlock 1 5 : 0 4 8 : T1 does not hold c against it
no rf deadlock 1 5 9 1 5 9 : 0 4 8 : its thread is claimed twice

== readers do not block each other
T1|racq(a)
T1|racq(b)
T1|rrel(b)
T1|rrel(a)
T2|racq(b)
T2|racq(a)
T2|rrel(a)
T2|rrel(b)
no rf deadlock 1 5 : 0 4 : T2 does not hold b against it

== but writers block readers and readers writers
T1|racq(a)
T1|racq(b)
T1|rrel(b)
T1|rrel(a)
T2|acq(b)
T2|acq(a)
T2|rel(a)
T2|rel(b)
ok rf deadlock 1 5 : 0 4

== tries do not block
T1|acq(a)
T1|acq(b,try)
T1|rel(b)
T1|rel(a)
T2|acq(b)
T2|acq(a)
T2|rel(a)
T2|rel(b)
no rf deadlock 1 5 : 0 4 : is no blocking request
no rf deadlock 5 1 : 0 4 : is no blocking request

== a wake wants its lock back
T1|acq(a)
T1|acq(l)
T1|wait(c,l)
T2|notify(c)
T1|wake(c,l)
T1|rel(l)
T1|rel(a)
T2|acq(l)
T2|acq(a)
T2|rel(a)
T2|rel(l)
ok rf deadlock 4 8 : 0 1 2 3 7
no rf deadlock 4 8 : 3 0 1 2 7 : no notify is left

== two returns each need a notify of their own
T1|acq(a)
T1|wait(c)
T3|notify(c)
T1|acq(b)
T1|rel(b)
T1|rel(a)
T2|acq(b)
T2|wait(c)
T3|notify(c)
T2|acq(a)
T2|rel(a)
T2|rel(b)
ok rf deadlock 3 9 : 0 1 6 7 2 8
ok rf deadlock 9 3 : 0 1 2 6 7 8
no rf deadlock 3 9 : 0 1 6 7 2 : claim: T2:2 acq(a): no notify is left
no rf deadlock 9 3 : 0 1 6 7 2 : claim: T1:2 acq(b): no notify is left

== two wakes served by one notifyall
T1|acq(a)
T1|acq(b)
T1|wait(c,b)
T2|acq(b)
T2|acq(d)
T2|wait(c,d)
T4|notifyall(c)
T4|notify(c)
T2|wake(c,d)
T2|rel(d)
T2|rel(b)
T1|wake(c,b)
T1|rel(b)
T1|rel(a)
T3|acq(d)
T3|acq(a)
T3|rel(a)
T3|rel(d)
ok rf deadlock 11 8 15 : 0-5 14 6
ok rf deadlock 8 15 11 : 0-2 3-7 14
no rf deadlock 8 15 11 : 0-5 14 : no notify is left

== a pending request
T1|acq(a)
T2|acq(b)
T1|req(b)
T2|req(a)
ok rf deadlock 2 3 : 0 1
no rf deadlock 2 3 : 0 1 2 : is in the sequence already

== a pending request needs a writer
T1|acq(a)
T2|racq(b)
T1|req(b)
T2|req(a)
no rf deadlock 2 3 : 0 1 : T2 does not hold b against it

== a request that is answered is no pending one
T1|acq(a)
T1|req(b)
T1|acq(b)
T1|rel(b)
T1|rel(a)
T2|acq(b)
T2|acq(a)
T2|rel(a)
T2|rel(b)
no rf deadlock 1 6 : 0 5 : is no blocking request
ok rf deadlock 2 6 : 0 1 5

== nested acquires do not block
T1|acq(a)
T1|acq(a)
T1|rel(a)
T1|rel(a)
T2|acq(a)
T2|rel(a)
no rf deadlock 1 4 : 0 : is no blocking request

== the read before a claimed acquire is preserved
*|init(x=0)
T1|acq(a)
T1|r(x=0)
T1|acq(b)
T1|rel(b)
T1|rel(a)
T2|acq(b)
T2|acq(a)
T2|rel(a)
T2|rel(b)
T3|w(x=1)
ok rf deadlock 2 6 : 0 1 5 9
no rf deadlock 2 6 : 9 0 1 5 : claim: T1:1 r(x=0): sees T3:0 w(x=1)

== an irregular lock is no part of a deadlock
T1|acq(a)
T1|acq(b)
T1|rel(b)
T1|rel(a)
T2|acq(b)
T2|acq(a)
T2|rel(a)
T2|rel(b)
T1|acq(b)
T2|rel(b)
no rf deadlock 1 5 : 0 4 : irregular
no rf deadlock 1 5 : 0 : irregular
