== the example of the JMPaX paper
t1|w(x=-1)
t1|r(x=-1)
t1|w(z=2)
t2|w(x=1)
t2|r(x=1)
t2|r(z=2)
t2|w(y=3)
ok rf,value nondet 1 3 wcr : 0 3 1
ok rf nondet 4 0 wcr : 3 0 4
ok rf nondet 5 -1 cr : 3 4 5
ok rf nondet 5 -1 crw : 3 4 5 0 1 2
no rf nondet 5 -1 cr : 3 4 5 0 1 2 : the order is not cr
no rf nondet 5 -1 crw : 3 4 5 : the order is not crw
no rf nondet 1 0 cr : 0 1 : does not see the challenger
no rf nondet 1 3 cr : 0 3 1 : the order is not cr
no rf nondet 1 3 wcr : 0 1 3 : does not see the challenger
no rf nondet 4 0 wcr : 3 0 4 1 2 5 : step
no rf nondet 4 0 wcr : 0 3 4 : does not see the challenger
no rf nondet 0 3 wcr : 0 3 : is no read
no rf nondet 5 -1 cr : 3 4 : is not the last of its thread

== the read is the last of its thread
T1|w(x=1)
T2|w(x=2)
T3|r(x=2)
T3|r(x=2)
ok value nondet 2 0 cr : 0 2
ok value nondet 3 0 wcr : 1 2 0 3
no value nondet 2 0 cr : 0 2 1 3 : step 3
no value nondet 2 -1 cr : 2 1 3 : step 2

== under value the value must differ
T1|w(x=1)
T2|w(x=1)
T3|r(x=1)
ok rf nondet 2 0 cr : 0 2
no value nondet 2 0 cr : 0 2 : does not see the challenger, or that is what it saw
ok rf nondet 2 0 wcr : 1 0 2

== unless the values cannot be compared
T1|w(x)
T2|w(x=1)
T3|r(x=1)
ok value,sliced nondet 2 0 cr : 0 2

== what the read saw was the initial write
T1|r(x)
T2|w(x)
ok rf nondet 0 1 wcr : 1 0
no rf nondet 0 1 cr : 1 0 : the order is not cr

== the initial write as challenger
T1|w(x=1)
T2|r(x=1)
ok value nondet 1 -1 cr : 1
ok value nondet 1 -1 crw : 1 0
no value nondet 1 -1 wcr : 0 1 : does not see
no value nondet 1 -1 wcr : 1 : the order is not wcr

== an rmw reads too
T1|aw(x=1)
T2|rmw(x=1:2)
ok value nondet 1 -1 cr : 1
no value nondet 1 0 cr : 0 1 : does not see

== one atom is enough
T1|w(x+0:1=1)
T1|w(x+1:1=1)
T2|w(x+1:1=2)
T3|r(x+0:2=0x0201)
ok value nondet 3 1 cr : 0 1 3
ok value nondet 3 1 crw : 0 1 3 2
no value nondet 3 0 cr : 0 1 2 3 : does not see

== a challenger whose own read is lost has no value
T1|aw(x=1)
T2|rmw(x=1:2)
T3|aw(x=2)
T4|ar(x=2)
no value nondet 3 1 cr : 0 1 3 : does not see
ok value nondet 3 1 cr : 1 3

== a compare-exchange that fails is seen by nobody
T1|ar(x=0)
T1|aw(x=1)
T2|rmw.cas(x=1:2)
T3|aw(x=1)
no rf,value nondet 0 2 wcr : 2 0 : does not see the challenger
ok value nondet 0 2 wcr : 3 2 0
