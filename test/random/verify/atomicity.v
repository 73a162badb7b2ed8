== a write between two reads of a block
T1|begin(A)
T1|r(x)
T1|r(x)
T1|end(A)
T2|w(x)
T1|r(x)
ok rf atomicity 0 1 2 -1 4 4 : 0 1 4 2
no rf atomicity 0 1 2 -1 4 4 : 0 1 2 4 : T2:0 w(x): comes too late
no rf atomicity 0 1 2 -1 4 4 : 4 0 1 2 : step
no rf atomicity 0 1 2 -1 4 4 : 0 1 4 : is not in the sequence
no rf atomicity 0 2 1 -1 4 4 : 0 1 4 2 : comes after the other event of its block
no rf atomicity 0 1 5 -1 4 4 : 0-5 : T1:4 r(x): comes after the claimed block
no rf atomicity 1 1 2 -1 4 4 : 0 1 4 2 : an event is claimed twice
no rf atomicity 3 1 2 -1 4 4 : 0 1 4 2 : starts no block
no rf atomicity 4 1 2 -1 4 4 : 0 1 4 2 : claimed twice
no rf atomicity 0 1 1 -1 4 4 : 0 1 4 2 : claimed twice

== two blocks
T1|enter(f)
T1|w(x)
T1|w(y)
T1|exit(f)
T2|begin(B)
T2|w(x)
T2|w(y)
T2|end(B)
ok rf atomicity 0 1 2 4 5 6 : 0 1 4 5 6 2
no rf atomicity 0 1 2 4 6 5 : 0 1 4 5 6 2 : does not conflict
no rf atomicity 0 1 2 -1 5 6 : 0 1 4 5 6 2 : is claimed with another event but no block
no rf atomicity 0 1 2 7 5 6 : 0 1 4 5 6 2 : starts no block
no rf atomicity 0 1 2 4 5 6 : 0 4 5 6 1 2 : comes too late

== events of the other block may come in any order
T1|begin(A)
T1|w(x)
T1|w(y)
T1|end(A)
T2|begin(B)
T2|w(y)
T2|w(x)
T2|end(B)
ok rf atomicity 0 1 2 4 6 5 : 0 1 4 5 6 2
no rf atomicity 0 1 2 4 6 5 : 0 1 2 4 5 6 : comes too late

== a block that is in one piece is not broken, the one around it is
T1|begin(A)
T1|w(x)
T1|w(y)
T1|end(A)
T2|begin(B)
T2|w(y)
T2|w(x)
T2|end(B)
no rf atomicity 0 1 2 4 6 5 : 4 5 0 1 2 6 : T1:1 w(x): and the other event of its block have nothing of the other block between them
ok rf atomicity 4 5 6 0 2 1 : 4 5 0 1 2 6
ok rf atomicity 0 1 2 4 6 5 : 0 4 5 1 6 2
ok rf atomicity 0 1 2 4 6 5 : 0 1 4 5 2 6
ok rf atomicity 4 5 6 0 2 1 : 0 1 4 5 2 6
no rf atomicity 4 5 6 0 2 1 : 0 1 4 5 6 2 : T2:1 w(y): and the other event of its block have nothing of the other block between them

== a block inside a block of the same name
T1|begin(A)
T1|w(x)
T1|begin(A)
T1|end(A)
T1|w(x)
T1|end(A)
T2|w(x)
T1|w(x)
ok rf atomicity 0 1 4 -1 6 6 : 0 1 6 2 3 4
no rf atomicity 2 4 7 -1 6 6 : 0-4 6 5 7 : T1:4 w(x): comes after the claimed block
no rf atomicity 2 1 4 -1 6 6 : 0 1 6 2 3 4 : is not in the claimed block
no rf atomicity 0 1 7 -1 6 6 : 0 1 6 2-5 7 : comes after the claimed block

== a block that never ends goes on to the end of its thread
T1|begin(A)
T1|w(x)
T1|enter(f)
T1|w(x)
T2|w(x)
T2|begin(A)
T2|w(x)
T2|end(A)
ok rf atomicity 0 1 3 -1 4 4 : 0 1 2 4 3
no rf atomicity 0 4 6 -1 1 1 : 0 4 1 5 6 : is not in the claimed block

== a compare-exchange that fails comes between, but writes nothing
T1|begin(A)
T1|ar(x=0)
T1|aw(x=1)
T1|end(A)
T2|rmw.cas(x=1:0)
T3|aw(x=1)
no rf,value atomicity 0 1 2 -1 4 4 : 0 1 4 2 : does not conflict
ok value atomicity 0 1 2 -1 4 4 : 0 1 5 4 2
no rf atomicity 0 1 2 -1 4 4 : 0 1 5 4 2 : does not conflict
