== what one thread frees another uses later
T1|alloc(p,8)
T1|w(g=&p)
T2|r(g=&p)
T2|w(p+0:4=1)
T1|free(p)
ok rf,value,sliced,lattice lifetime 4 3 : 0 1 2 4
no rf lifetime 4 3 : 0-2 : is not in the sequence
no rf lifetime 4 3 : 0-4 : is in the sequence already
no rf lifetime 4 2 : 0 1 4 : uses nothing
no rf lifetime 3 4 : 0-3 : sees nothing of
no rf lifetime 4 0 : 0 1 4 : is of the thread that frees
no rf lifetime 4 4 : 0 1 4 : claimed twice
no rf lifetime 4 3 : 0 1 4 : event 0 of its thread comes first

== under one lock all the same, but not in one section
T1|alloc(p,8)
T1|w(g=&p)
T1|fork(T2)
T2|acq(m)
T2|r(g=&p)
T2|rel(m)
T2|acq(m)
T2|r(p+0:4=1)
T2|rel(m)
T1|acq(m)
T1|free(p)
T1|rel(m)
ok rf,value lifetime 10 7 : 0-5 9-11 6
no rf lifetime 10 7 : 0-6 9 10 : holds m
no rf lifetime 10 7 : 0-5 9 10 : comes first

== the pointer is gone with the block
T1|alloc(p,8)
T1|w(g=&p)
T1|fork(T2)
T2|acq(m)
T2|r(g=&p)
T2|r(p+0:4=1)
T2|rel(m)
T1|acq(m)
T1|w(g=0)
T1|free(p)
T1|rel(m)
no rf,value lifetime 9 5 : 0-2 7-10 3 4 : not what it saw

== the last one that counts frees
T0|alloc(p,8)
T0|aw(p+0:4=2)
T0|fork(T1)
T0|fork(T2)
T1|r(p+4:4)
T1|rmw(p+0:4=2:1)
T2|rmw(p+0:4=1:0)
T2|free(p)
no rf,value lifetime 7 4 : 0-3 6 7 : not what it saw
no rf,value lifetime 7 4 : 0-3 5 6 7 : comes first

== what is freed twice
T1|alloc(p,8)
T1|free(p)
T2|free(p)
ok rf,value lifetime 1 2 : 0 1
ok rf lifetime 2 1 : 0 2
no rf lifetime 1 2 : 0 1 2 : is in the sequence already

== allocated again under the name
T1|alloc(p,8)
T1|free(p)
T1|alloc(p,8)
T2|w(p+0:4)
no rf lifetime 1 3 : 0-2 : uses nothing

== nobody knows why ext
T1|alloc(p,8)
T1|ext(p)
T2|w(p)
no rf lifetime 1 2 : 0 1 : sees nothing of
no rf lifetime 2 1 : 0 1 2 : sees nothing of

== neither an alloc nor an ext uses
T1|alloc(p,8)
T2|ext(p)
T3|free(p)
no rf lifetime 2 1 : 0 : uses nothing
no rf lifetime 2 0 : : uses nothing

== other bytes of the block are freed with it
T1|alloc(p,8)
T1|alloc(q,8)
T2|r(p+4:4)
T2|r(q+4:4)
T1|free(p)
ok rf lifetime 4 2 : 0 1 4
no rf lifetime 4 3 : 0 1 4 2 : uses nothing

== a number may be an address
T1|alloc(p,8)
T1|w(h=65536)
T1|w(h=65536)
T2|r(h=65536)
T2|w(p)
T1|free(p)
ok rf,value lifetime 5 4 : 0-3 5
no value,sliced lifetime 5 4 : 0 1 3 2 5 : not what it saw
ok value pattern 3 4 : 0 1 3 4
ok value race 5 4 : 0 1 3 2

== a small one is none
T1|alloc(p,8)
T1|w(h=65535)
T1|w(h=65535)
T2|r(h=65535)
T2|w(p)
T1|free(p)
ok value,sliced lifetime 5 4 : 0 1 3 2 5
no rf lifetime 5 4 : 0 1 3 2 5 : not what it saw

== numbers below and above all
T1|alloc(p,8)
T1|w(h=-65536)
T1|w(h=-65536)
T1|w(i=18446744073709551615)
T1|w(i=18446744073709551615)
T1|w(j=-65535)
T1|w(j=-65535)
T2|r(h=-65536)
T3|r(i=18446744073709551615)
T4|r(j=-65535)
T2|w(p)
T3|w(p)
T4|w(p)
T1|free(p)
no value lifetime 13 10 : 0 1 7 2-6 13 : not what it saw
no value lifetime 13 11 : 0-3 8 4-6 13 : not what it saw
ok value lifetime 13 12 : 0-5 9 6 13

== an exchange reads what may be an address
T1|alloc(p,8)
T1|aw(h=70000)
T1|aw(h=70000)
T2|rmw(h=70000:1)
T2|w(p)
T1|free(p)
ok value lifetime 5 4 : 0-3 5
no value lifetime 5 4 : 0 1 3 2 5 : not what it saw

== a third thread's number that may be an address
T1|alloc(p,8)
T1|w(h=70000)
T1|w(h=70000)
T3|r(h=70000)
T3|w(g=1)
T2|r(g=1)
T2|w(p)
T1|free(p)
ok value lifetime 7 6 : 0-5 7
no value lifetime 7 6 : 0 1 3 4 5 2 7 : not what it saw

== a mutex is destroyed, and used after that
T1|w.gone(m+40:1=1)
T2|ar.rlx(m+40:1=1)
ok rf,value,sliced,lattice lifetime 0 1 : 0
no rf lifetime 0 1 : : is not in the sequence
no rf lifetime 1 0 : 1 : sees nothing of

== a mutex that is made again
T1|w(m+40:1=0)
T1|w.gone(m+40:1=1)
T1|w(m+40:1=0)
T2|ar.rlx(m+40:1=0)
T2|rmw(m+40:1=0:0)
T2|w(m+40:1=0)
ok rf,value lifetime 1 3 : 0 1
no rf,value lifetime 1 3 : 0-2 : sees nothing of
no rf,value lifetime 2 3 : 0-2 : sees nothing of
no rf lifetime 1 4 : 0-2 3 : sees nothing of
no rf lifetime 1 5 : 0-4 : sees nothing of

== an exchange of what was destroyed
T1|w.gone(m=1)
T2|rmw(m=1:1)
no rf lifetime 0 1 : 0 : sees nothing of

== read before it is written
T1|alloc.raw(p,8)
T1|w(g=&p)
T1|w(p+0:4=1)
T2|r(g=&p)
T2|r(p+0:4=1)
T2|r(p+4:4)
ok rf,value,sliced lifetime 0 4 : 0 1 3
no rf lifetime 0 4 : 0-3 : sees nothing of
no rf lifetime 0 5 : 0-4 : sees nothing of
no rf lifetime 0 2 : 0 1 : is of the thread

== what calloc gives is written
T1|alloc(p,8)
T1|w(g=&p)
T1|w(p+0:4=1)
T2|r(g=&p)
T2|r(p+0:4=1)
no rf lifetime 0 4 : 0 1 3 : sees nothing of

== a pointer that is gone
T1|w(g=&q)
T1|fork(T2)
T2|r(g=&q)
T2|r.followed(g=&q)
T1|w(g=0)
T3|r.followed(g=0)
ok rf,value lifetime 4 3 : 0-2 4
no rf lifetime 4 3 : 0-2 : is not in the sequence
no rf lifetime 4 2 : 0 1 4 : sees nothing of
no rf lifetime 4 3 : 0 1 4 : comes first
no rf lifetime 0 3 : 0-2 : sees nothing of
no rf lifetime 4 5 : 0-4 : sees nothing of

== a part of a pointer, one that is not known, an exchange
T1|w(g+0:8=&q)
T2|r.followed(g+0:8=&q)
T1|w(g+0:4=0)
T1|w(h+0:8=0)
T2|r.followed(h+0:8)
T1|w(i=7)
T3|r.followed(i=7)
T1|rmw(i=7:0)
no rf lifetime 2 1 : 0 2 : sees nothing of
no rf lifetime 3 4 : 0-3 : sees nothing of
no rf lifetime 7 6 : 0 2 3 5 7 : sees nothing of

== where a pointer leads
T0|w(g=&p)
T0|fork(T1)
T0|fork(T2)
T1|free(p)
T1|w(g=&q)
T2|r.followed(g=&q)
T2|r.freed(g=&q)
T2|r(g=&q)
T2|aw(h=&p)
T1|r.followed(h=&p)
ok rf,value lifetime 3 5 : 0-3
no rf,value lifetime 3 5 : 0 1 2 : is not in the sequence
no rf,value lifetime 3 5 : 0-4 : uses nothing
no rf lifetime 3 6 : 0-3 5 : not what it saw
no rf,value lifetime 3 7 : 0-6 : uses nothing
no rf,value lifetime 3 9 : 0-8 : is of the thread that frees

== a pointer that leads elsewhere
T0|w(g=&p+8)
T1|free(p)
T1|w(g=&q)
T2|r.followed(g=&q)
no rf,value lifetime 1 3 : 0 1 : uses nothing

== a pointer of which a part was written since
T0|w(g+0:8=&p)
T0|w(g+4:4=0)
T1|free(p)
T1|w(g+0:8=&q)
T2|r.freed(g+0:8=&q)
ok rf,value lifetime 2 4 : 0 2
no rf,value lifetime 2 4 : 0 1 2 : uses nothing

== a pointer whose value is not known, or that led there
T0|w(g=&p)
T2|r.freed(g=&p)
T2|r.freed(g)
T1|free(p)
no rf,value lifetime 3 1 : 0 3 : uses nothing
no rf,value lifetime 3 2 : 0 1 3 : uses nothing

== an exchange brings nothing
T0|rmw(g=0:&p)
T1|free(p)
T1|w(g=&q)
T2|r.freed(g=&q)
no rf,value lifetime 1 3 : 0 1 : uses nothing

== of a pointer that is only read nothing follows
T0|w(g=&p)
T1|free(p)
T1|w(g=&q)
T2|r(g=&q)
no rf,value lifetime 1 3 : 0 1 : uses nothing

== a part of what was written with the pointer
T0|w(g+0:8=&p)
T1|free(p)
T1|w(g+0:4=2)
T2|r.freed(g+0:4=2)
no rf,value lifetime 1 3 : 0 1 : uses nothing
