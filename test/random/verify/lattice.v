== the example of the JMPaX paper
t1|w(x=-1)
t1|r(x=-1)
t1|w(z=2)
t2|w(x=1)
t2|r(x=1)
t2|r(z=2)
t2|w(y=3)
ok lattice pattern 0 6 : 0-6
ok lattice pattern 3 0 : 3 4 0 1
no lattice pattern 3 0 : 3 0 : step 1: t1:0 w(x=-1): a read of the write before it is missing
no lattice pattern 3 : 0 3 : atomic set
no lattice pattern 5 : 3 4 5 : step 2: t2:2 r(z=2): sees the initial value
no lattice nondet 5 -1 cr : 3 4 5 : sees the initial value
ok rf nondet 5 -1 cr : 3 4 5
ok lattice race 0 3 :
ok lattice race 2 5 : 3 4 0 1

== the reads of the initial value are a set
T1|r(x)
T2|w(x)
T3|r(x)
ok lattice pattern 0 1 2 : 0 1 2
no lattice pattern 1 : 1 : atomic set

== an rmw completes what it reads
T1|w(x)
T2|rmw(x)
T3|ar(x)
T4|w(x)
ok lattice pattern 0 1 2 3 : 0-3
ok lattice pattern 3 0 : 3 0 1
no lattice pattern 3 : 0 3 : atomic set
no lattice pattern 3 : 0 1 3 : atomic set

== a write of two atoms finds both complete
T1|w(x+0:1)
T2|r(x+0:1)
T3|w(x+0:2)
T4|r(x+1:1)
ok lattice pattern 2 3 : 0-3
no lattice pattern 2 : 0 2 : atomic set
ok lattice pattern 2 0 : 2 3 0
ok lattice pattern 2 0 : 2 0
