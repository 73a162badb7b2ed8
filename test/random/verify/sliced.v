== only relevant reads are preserved
T2|w(x=1)
T1|r(x=1)
T1|r(z=0)
T1|w(y=1)<-1
T3|r(y=1)
T4|w(z=1)
ok sliced race 3 4 : 1 2
no value race 3 4 : 1 2 : step 1: T1:0 r(x=1): sees the initial value
no sliced race 3 4 : 5 1 2 : claim: T1:1 r(z=0): sees T4:0 w(z=1)
ok sliced race 3 4 : 0 1 2

== a branch is relevant with what it depends on
T2|w(x=1)
T1|r(x=1)
T1|branch()<-0
T1|w(y=1)^1
T1|w(z=1)
T3|w(y=2)
T3|w(z=2)
ok sliced race 3 5 : 0 1 2
no sliced race 3 5 : 1 2 : T1:0 r(x=1): sees the initial value
ok sliced race 4 6 : 1 2 3 5

== writes that a relevant read overlaps are relevant with what they depend on
T1|w(a=1)
T2|r(a=1)
T2|w(b=1)<-0
T3|r(b=1)
T3|w(y=1)<-0
T4|r(y=1)
T4|w(u=1)
T5|w(u=1)
ok sliced race 4 5 : 0 1 2 3
no sliced race 4 5 : 1 2 3 : T2:0 r(a=1): sees the initial value
ok sliced race 6 7 : 1 2 3 5

== synchronisation is relevant
T1|w(x=1)
T2|r(x=1)
T2|acq(l)<-0
T2|rel(l)
T2|w(y=1)
T3|w(y=2)
ok sliced race 4 5 : 0 1 2 3
no sliced race 4 5 : 1 2 3 : T2:0 r(x=1): sees the initial value

== a joined thread's reads are relevant
*|init(x=0)
*|init(v=0)
T1|fork(T2)
T2|r(x=0)
T2|r(v=0)<-0
T1|join(T2)
T1|w(y=1)
T3|w(x=1)
T3|w(y=2)
ok sliced race 4 6 : 0 1 2 3 5
no sliced race 4 6 : 0 5 1 2 3 : T2:0 r(x=0): sees T3:0

== without dependences sliced is value
*|init(x=0)
T1|r(x=0)
T1|w(y=1)
T2|w(x=1)
T2|w(y=2)
no sliced race 1 3 : 2 0 : sees T2:0
ok sliced race 1 3 : 0 2

== an rmw that is not preserved makes what sees it so
T2|w(x=1)
T1|rmw(x=1:2)
T3|ar(x=2)
T3|w(y=1)<-0
T4|w(y=2)
ok sliced race 3 4 : 0 1 2
no sliced race 3 4 : 1 2 : T3:0 ar(x=2): sees T1:0 rmw(x=1:2)

== what opens a block is relevant with what is in it
T2|w(x=1)
T1|r(x=1)
T1|enter(f)<-0
T1|w(y=1)
T1|exit(f)
T1|w(z=1)
T3|w(y=2)
T3|w(z=2)
ok sliced race 3 6 : 0 1 2
no sliced race 3 6 : 1 2 : T1:0 r(x=1): sees the initial value
ok sliced race 5 7 : 1 2 3 4 6

== and so are the blocks around that
T2|w(x=1)
T1|r(x=1)
T1|begin(A)<-0
T1|begin(B)
T1|end(A)
T1|w(y=1)
T3|w(y=2)
ok sliced race 5 6 : 0 1 2 3 4
no sliced race 5 6 : 1 2 3 4 : T1:0 r(x=1): sees the initial value
