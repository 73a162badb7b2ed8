== plain accesses of two threads
T1|w(x)
T2|r(x)
T3|r(x)
T1|w(y)
T1|r(y)
ok rf,value,sliced,lattice race 0 1 :
ok rf race 1 0 :
ok rf race 0 2 : 1
no rf race 1 2 : : does not conflict
no rf race 0 1 : 0 : is in the sequence already
no rf race 0 1 : 1 : is in the sequence already
no rf race 3 4 : 0 : does not conflict
no rf race 0 0 : : an event is claimed twice
no rf race 3 1 : : does not conflict

== two atomics do not race, an atomic and a plain access do
T1|aw(x)
T2|ar(x)
T3|r(x)
T4|rmw(x)
T5|w(x)
no rf race 0 1 : : both accesses are atomic
no rf race 0 3 : : both accesses are atomic
ok rf race 0 2 :
ok rf race 1 4 :
ok rf race 2 3 :
no rf race 1 2 : : does not conflict

== alloc and ext never race, free does
T1|alloc(p,4)
T1|free(p)
T2|r(p+0:2)
T3|ext(q)
T4|w(q)
ok rf race 1 2 : 0
no rf race 0 2 : : does not conflict
no rf race 3 4 : : does not conflict

== the race that needs the critical sections swapped
T1|w(x)
T1|acq(l)
T1|w(y)
T1|rel(l)
T2|acq(l)
T2|w(y)
T2|rel(l)
T2|w(x)
ok rf race 0 7 : 4-6
no rf race 0 7 : : event 0 of its thread comes first
no rf race 2 5 : 1 : event
no rf race 2 5 : 0 1 : event 0 of its thread comes first

== accesses that a lock keeps apart
T1|acq(l)
T1|w(x)
T1|rel(l)
T2|acq(l)
T2|w(x)
T2|rel(l)
no rf race 1 4 : 0 : claim: T2:1 w(x): event 0 of its thread
no rf race 1 4 : 3 : claim: T1:1 w(x): event 0 of its thread
no rf race 1 4 : 0 3 : step 1: T2:0 acq(l): T1 holds l

== marks are no accesses
T1|begin(A)
T2|w(x)
T1|emit(e)
no rf race 0 1 : : does not conflict
no rf race 1 2 : 0 : does not conflict

== a compare-exchange that would fail does not write
T1|r(x=0)
T1|aw(x=1)
T2|rmw.cas(x=1:0)
T3|aw(x=1)
T4|w(x=5)
no rf,value,sliced,lattice race 0 2 : : does not conflict
no rf race 0 2 : 3 : does not conflict
ok value,sliced race 0 2 : 3
ok rf,value,sliced,lattice race 2 4 :
no rf,value race-order 0 2 : 0 2 : does not conflict
no rf,value race-order 2 0 : 2 0 : does not conflict
ok value race-order 0 2 : 3 0 2

== a fetch-and-add writes whatever it reads
T1|r(x=0)
T1|aw(x=1)
T2|rmw.acq(x=1:0)
T3|rmw.acq.cas(x=0:1)
ok rf,value,sliced,lattice race 0 2 :
no rf race 0 3 : : does not conflict
ok value race 0 3 :
