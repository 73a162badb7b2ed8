== rule 1: a thread's events come in its order, without gaps
T1|w(x)
T1|w(y)
T2|r(z)
ok rf pattern 0 1 : 0-1
ok rf pattern 2 0 : 2 0
ok rf pattern 2 : 2
no rf pattern 1 : 1 : step 0: T1:1 w(y): event 0 of its thread comes first
no rf pattern 0 1 : 1 0 : step 0
no rf pattern 0 : 0 0 : step 1: T1:0 w(x): is in the sequence already
no rf pattern 0 1 : 0 2 0 : step 2

== rule 3: a thread starts after its fork
T1|w(x)
T1|fork(T2)
T2|r(x)
ok rf pattern 1 2 : 0 1 2
no rf pattern 2 : 2 : its thread is not forked yet
no rf race 0 2 : : claim: T2:0 r(x): its thread is not forked yet

== rule 3: the fork of a thread whose parent is forked
T1|fork(T2)
T2|fork(T3)
T3|w(x)
T1|w(x)
ok rf race 2 3 : 0 1
no rf race 2 3 : 0 : not forked yet

== rule 3: join comes after the last event
T1|fork(T2)
T2|w(x)
T2|w(y)
T1|join(T2)
T1|w(x)
ok rf pattern 3 4 : 0-4
no rf pattern 3 : 0 1 3 : step 2: T1:1 join(T2): event 1 of that thread is missing
no rf pattern 3 : 0 3 : event 0 of that thread is missing
no rf race 1 4 : 0 : claim: T1:2 w(x): event 1 of its thread comes first

== rule 3: join of a thread without events comes after its fork
T1|w(x)
T1|fork(T2)
T3|join(T2)
T3|w(x)
ok rf pattern 1 2 : 0-2
no rf pattern 2 : 2 : that thread is not forked yet
no rf race 0 3 : 2 : that thread is not forked yet

== rule 3: join needs the reads of the thread preserved, the last one too
*|init(x=0)
T1|fork(T2)
T2|r(x=0)
T1|join(T2)
T1|w(y=1)
T3|w(x=1)
ok rf,value pattern 1 2 : 0 1 2 4
ok rf,value pattern 4 1 : 0 4 1
no rf,value pattern 4 2 : 0 4 1 2 : step 3: T1:1 join(T2): event 0 of that thread did not see
ok lattice pattern 1 2 : 0 1 2 4
no lattice pattern 4 1 : 0 4 1 : atomic set
