== an access comes after the alloc of its block
T1|alloc(p,8)
T1|w(q=&p)
T2|r(q=&p)
T2|w(p+0:4=1)
T1|free(p)
ok value pattern 0 3 : 0-3
no value pattern 3 : 0 2 3 : step 2: T2:0 r(q=&p): sees the initial value
ok value race 3 4 : 0-2

== the block is not there before its alloc
T1|alloc(p,8)
T2|w(p)
T2|free(p)
T1|alloc(p,8)
T1|w(p)
ok rf pattern 0 1 : 0 1
no rf pattern 1 : 1 : step 0: T2:0 w(p~0): the block is not allocated yet
ok rf pattern 4 1 : 0 3 4 1
no rf race 1 4 : 0 3 : does not conflict

== ext keeps its place among the accesses
T1|w(x=1)
T1|ext(x)
T2|r(x=9)
T3|w(x=2)
T3|w(y=1)
ok rf pattern 0 1 2 3 : 0-3
ok rf pattern 4 : 0-4
no rf pattern 1 : 1 : event 0 of its thread
no rf pattern 2 : 2 : an ext that precedes it in the trace is missing
no rf pattern 3 : 0 3 : an ext that precedes it in the trace is missing

== ext waits for what comes before it
T1|w(x=1)
T2|ext(x)
T3|w(x+0:4)
T3|w(x+4:4)
T4|ext(x+0:4)
ok rf pattern 0 1 2 4 : 0-2 4
no rf pattern 1 : 1 : an access that precedes it in the trace is missing
no rf pattern 4 : 0 1 4 : an access that precedes it in the trace is missing
ok rf pattern 4 3 : 0 1 2 4 3

== parts of a variable are told apart
T1|w(x+0:2)
T2|w(x+2:2)
T3|w(x+1:2)
T4|w(x)
ok rf race 0 2 :
ok rf race 1 2 :
ok rf race 0 3 :
ok rf race 3 1 :
no rf race 0 1 : : does not conflict
no rf race 0 3 : 0 : already

== a read of several atoms must see every one
T1|w(x+0:2=1)
T1|w(x+2:2=2)
T2|r(x+0:4=131073)
T2|w(y)
T3|w(x+2:2=3)
ok rf,value pattern 3 : 0-3
no rf,value pattern 3 : 0 1 4 2 3 : step 4: T2:0 r(x+0:4=131073): sees T3:0 w(x+2:2=3)
no rf,value pattern 3 : 0 2 3 : sees the initial value
