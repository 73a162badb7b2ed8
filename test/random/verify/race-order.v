== published through atomics that synchronise
T1|w(x=1)
T1|aw.rel(f=1)
T2|ar.acq(f=1)
T2|r(x=1)
no rf race-order 0 3 : 0-3 : claim: T1:0 w(x=1): is synchronised before T2:1 r(x=1)
no rf race-order 0 3 : 0-2 : is not in the sequence
no rf race-order 3 0 : 0-3 : comes too late
no rf race-order 1 2 : 0-3 : both accesses are atomic

== published through a store that is too weak
T1|w(x=1)
T1|aw.rlx(f=1)
T2|ar.acq(f=1)
T2|w(x=2)
ok rf race-order 0 3 : 0-3

== read by a load that is too weak
T1|w(x=1)
T1|aw.rel(f=1)
T2|ar.rlx(f=1)
T2|w(x=2)
ok rf race-order 0 3 : 0-3

== that a read sees a write does not order the two
T1|w(x=1)
T1|aw.rlx(f=1)
T2|ar.rlx(f=1)
T2|r(x=1)
T2|r(x=1)
T2|w(y=1)
T3|r(y=1)
T3|w(x=2)
ok rf race-order 0 3 : 0-3
no rf race-order 0 4 : 0-4 : is synchronised before
no rf race-order 0 7 : 0-7 : is synchronised before

== but it orders others
T1|w(z=1)
T1|w(x=1)
T2|r(x=1)
T2|r(z=1)
no rf race-order 0 3 : 0-3 : is synchronised before
ok rf race-order 1 2 : 0-2

== seq_cst is acquire and release
T1|w(x=1)
T1|aw(f=1)
T2|ar(f=1)
T2|w(x=2)
no rf race-order 0 3 : 0-3 : is synchronised before

== an atomic that the reader does not see does not synchronise
T1|w(x=1)
T1|aw.rel(f=1)
T3|aw.rlx(f=1)
T2|ar.acq(f=1)
T2|w(x=2)
ok value race-order 0 4 : 0-4
no value race-order 0 4 : 2 0 1 3 4 : is synchronised before

== a release fence before a relaxed store
T1|w(x=1)
T1|fence.rel()
T1|aw.rlx(f=1)
T2|ar.acq(f=1)
T2|w(x=2)
no rf race-order 0 4 : 0-4 : is synchronised before

== a release fence after the store does not count
T1|w(x=1)
T1|aw.rlx(f=1)
T1|fence.rel()
T2|ar.acq(f=1)
T2|w(x=2)
ok rf race-order 0 4 : 0-4

== the write after the fence is not ordered by it
T1|fence.rel()
T1|w(x=1)
T1|aw.rlx(f=1)
T2|ar.acq(f=1)
T2|w(x=2)
ok rf race-order 1 4 : 0-4

== an acquire fence after a relaxed load
T1|w(x=1)
T1|aw.rel(f=1)
T2|ar.rlx(f=1)
T2|fence.acq()
T2|w(x=2)
no rf race-order 0 4 : 0-4 : is synchronised before

== an acquire fence before the load does not count
T1|w(x=1)
T1|aw.rel(f=1)
T2|fence.acq()
T2|ar.rlx(f=1)
T2|w(x=2)
ok rf race-order 0 4 : 0-4

== a release fence is no acquire fence
T1|w(x=1)
T1|aw.rel(f=1)
T2|ar.rlx(f=1)
T2|fence.rel()
T2|w(x=2)
ok rf race-order 0 4 : 0-4

== fences on both sides
T1|w(x=1)
T1|fence.sc()
T1|aw.rlx(f=1)
T2|ar.rlx(f=1)
T2|fence.acqrel()
T2|w(x=2)
no rf race-order 0 5 : 0-5 : is synchronised before

== a release sequence goes on with rmws of any thread
T1|w(x=1)
T1|aw.rel(f=1)
T3|rmw.rlx(f=1:2)
T2|ar.acq(f=2)
T2|w(x=2)
no rf race-order 0 4 : 0-4 : is synchronised before

== and with later writes of its thread
T1|w(x=1)
T1|aw.rel(f=1)
T1|aw.rlx(f=2)
T2|ar.acq(f=2)
T2|w(x=2)
no rf race-order 0 4 : 0-4 : is synchronised before

== but not with writes of another
T1|w(x=1)
T1|aw.rel(f=1)
T3|aw.rlx(f=2)
T3|rmw.rlx(f=2:3)
T2|ar.acq(f=3)
T2|w(x=2)
ok rf race-order 0 5 : 0-5

== nor over a plain write
T1|w(x=1)
T1|aw.rel(f=1)
T1|w(f=2)
T2|ar.acq(f=2)
T2|w(x=2)
ok rf race-order 0 4 : 0-4

== an rmw of the sequence that releases heads one of its own
T3|w(x=1)
T1|aw.rlx(f=1)
T3|rmw.rel(f=1:2)
T2|rmw.acq(f=2:3)
T2|w(x=2)
no rf race-order 0 4 : 0-4 : is synchronised before

== critical sections of one lock
T1|w(x)
T1|acq(l)
T1|rel(l)
T2|acq(l)
T2|rel(l)
T2|w(x)
no rf race-order 0 5 : 0-5 : is synchronised before
ok rf race-order 5 0 : 3-5 0
ok rf race-order 0 5 : 3 4 0 5

== the end of a section, not its start
T1|acq(l)
T1|w(x)
T1|rel(l)
T2|acq(l)
T2|rel(l)
T2|w(x)
T1|w(y)
T2|w(y)
no rf race-order 1 5 : 0-5 : is synchronised before
ok rf race-order 6 7 : 0-7

== two readers are not ordered, reader and writer are
T1|w(x)
T1|racq(l)
T1|rrel(l)
T2|racq(l)
T2|rrel(l)
T2|w(x)
T3|acq(l)
T3|rel(l)
T3|w(x)
ok rf race-order 0 5 : 0-5
no rf race-order 0 8 : 0-8 : is synchronised before
ok rf race-order 5 8 : 0-8

== a writer before a reader
T1|w(x)
T1|acq(l)
T1|rel(l)
T2|racq(l)
T2|rrel(l)
T2|w(x)
no rf race-order 0 5 : 0-5 : is synchronised before

== a failed try orders nothing
T1|w(x)
T1|acq(l)
T2|tryfail(l)
T2|w(x)
T1|rel(l)
ok rf race-order 0 3 : 0-3

== all operations on an irregular lock
T1|w(x)
T1|acq(l)
T2|rel(l)
T2|w(x)
T3|acq(l)
T3|w(x)
no rf race-order 0 3 : 0-3 : is synchronised before
ok rf race-order 3 5 : 0-5

== nested sections order nothing of their own
T1|acq(l)
T1|acq(l)
T1|w(x)
T1|rel(l)
T2|w(x)
T1|rel(l)
T2|acq(l)
ok rf race-order 2 4 : 0-4

== fork and join
T1|w(x)
T1|fork(T2)
T2|w(x)
T1|w(y)
T2|w(y)
T1|join(T2)
T1|w(x)
no rf race-order 0 2 : 0-2 : is synchronised before
no rf race-order 2 6 : 0-6 : is synchronised before
ok rf race-order 3 4 : 0-4

== notify before the return it serves
T1|wait(c)
T2|w(x)
T2|notify(c)
T1|wake(c)
T1|w(x)
no rf race-order 1 4 : 0-4 : is synchronised before

== the notify that served another orders nothing
T1|wait(c)
T3|wait(c)
T4|notify(c)
T2|w(x)
T2|notify(c)
T1|wake(c)
T1|w(x)
T3|wake(c)
T3|w(x)
ok rf race-order 3 6 : 0-6
no rf race-order 3 8 : 0-8 : is synchronised before
no rf race-order 3 6 : 0 1 3 4 2 5 6 : is synchronised before

== a notifyall before the notifies
T1|wait(c)
T2|w(x)
T2|notify(c)
T3|w(x)
T3|notifyall(c)
T1|wake(c)
T1|w(x)
ok rf race-order 1 6 : 0-6
no rf race-order 3 6 : 0-6 : is synchronised before

== the k-th up before the down that needs it
T1|seminit(s,1)
T1|w(x)
T1|up(s)
T2|down(s)
T2|w(x)
T3|down(s)
T3|w(x)
T4|seminit(t,0)
ok rf race-order 1 4 : 0-4
no rf race-order 1 6 : 0-6 : is synchronised before

== seminit before what follows it
T1|w(x)
T1|seminit(s,1)
T2|down(s)
T2|w(x)
no rf race-order 0 3 : 0-3 : is synchronised before

== a seminit counts anew
T1|up(s)
T2|seminit(s,1)
T1|w(x)
T1|up(s)
T3|down(s)
T3|w(x)
T4|down(s)
T4|w(x)
ok rf race-order 2 5 : 0-5
no rf race-order 2 7 : 0-7 : is synchronised before

== an unknown initial count
T1|down(s)
T1|w(x)
T1|up(s)
T2|down(s)
T2|w(x)
no rf race-order 1 4 : 0-4 : is synchronised before

== arrivals before departures
T1|w(x)
T1|arrive(b,2)
T2|arrive(b,2)
T2|w(x)
T2|depart(b)
T2|w(x)
ok rf race-order 0 3 : 0-3
no rf race-order 0 5 : 0-5 : is synchronised before

== hb before ha
T1|w(x)
T1|hb(o)
T2|ha(o)
T2|w(x)
T3|ha(p)
T3|w(x)
no rf race-order 0 3 : 0-3 : is synchronised before
ok rf race-order 0 5 : 0-5

== alloc before every access
T1|w(x)
T1|alloc(p,8)
T2|w(p)
T2|w(x)
no rf race-order 0 3 : 0-3 : is synchronised before

== a path over several threads
T1|w(x)
T1|acq(l)
T1|rel(l)
T2|acq(l)
T2|rel(l)
T2|aw.rel(f=1)
T3|ar.acq(f=1)
T3|w(x)
no rf race-order 0 7 : 0-7 : is synchronised before
ok rf race-order 0 7 : 3-4 0 5 6 7

== accesses that do not conflict
T1|r(x)
T2|r(x)
no rf race-order 0 1 : 0 1 : does not conflict

== a thread without events
T1|w(x)
T1|fork(T2)
T3|join(T2)
T3|w(x)
no rf race-order 0 3 : 0-3 : is synchronised before

== what precedes a seminit
T1|w(x)
T1|up(s)
T2|seminit(s,0)
T2|w(x)
no rf race-order 0 3 : 0-3 : is synchronised before

== one round before the arrivals of the next
T1|w(x)
T1|arrive(b,2)
T2|arrive(b,2)
T3|arrive(b,2)
T3|w(x)
T4|arrive(c,2)
T4|w(x)
no rf race-order 0 4 : 0-4 : is synchronised before
ok rf race-order 0 6 : 0-6

== ext keeps its place
T1|w(x)
T1|r(y)
T2|ext(y)
T2|w(x)
T3|w(z)
T3|r(u)
T4|w(u)
T4|w(z)
no rf race-order 0 3 : 0-3 : is synchronised before
ok rf race-order 4 7 : 4-7

== what comes after an ext
T1|w(x)
T1|ext(y+0:4)
T2|w(y+0:2)
T2|w(x)
T3|w(y+4:2)
T3|w(x)
no rf race-order 0 3 : 0-3 : is synchronised before
ok rf race-order 0 5 : 0-5
