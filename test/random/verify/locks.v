== rule 2: a mutex is taken when free
T1|acq(l)
T1|w(x)
T1|rel(l)
T2|acq(l)
T2|w(x)
T2|rel(l)
ok rf pattern 3 0 : 3-5 0-2
ok rf pattern 1 4 : 0-5
no rf pattern 3 : 0 3 : step 1: T2:0 acq(l): T1 holds l
no rf race 1 4 : 0 3 : T1 holds l
no rf race 1 4 : 0 : claim: T2:1 w(x): event 0 of its thread comes first

== rule 2: read-write locks
T1|racq(l)
T2|racq(l)
T1|rrel(l)
T2|rrel(l)
T3|acq(l)
T3|rel(l)
ok rf pattern 0 1 : 0 1
ok rf pattern 4 0 : 4 5 0 1 2 3
no rf pattern 4 : 0 4 : step 1: T3:0 acq(l): 1 threads hold l for reading
no rf pattern 4 : 0 1 2 4 : 1 threads hold l for reading
no rf pattern 4 0 : 4 0 : T3 holds l
ok rf pattern 4 : 0 1 2 3 4

== rule 2: a try fails while the lock is held, in any mode
T1|acq(l)
T2|tryfail(l)
T1|rel(l)
T3|racq(l)
T3|rrel(l)
ok rf pattern 1 2 : 0 1 2
ok rf pattern 3 1 : 3 1
no rf pattern 1 : 1 : nobody holds l
no rf pattern 1 : 0 2 1 : nobody holds l
no rf pattern 1 : 0 2 3 4 1 : nobody holds l

== rule 2: a try for reading fails while a writer holds it
T1|acq(l)
T2|rtryfail(l)
T1|rel(l)
T3|racq(l)
T3|rrel(l)
ok rf pattern 1 2 : 0 1 2
no rf pattern 1 : 1 : nobody holds l
no rf pattern 3 1 : 3 1 : 1 threads hold l for reading
no rf pattern 1 : 3 4 1 : nobody holds l

== req and lockfail are under no rule
T1|acq(l)
T2|req(l)
T2|lockfail(l)
T1|rel(l)
ok rf pattern 1 2 : 1 2
ok rf pattern 2 0 : 1 2 0
ok rf pattern 2 3 : 0 1 2 3

== nested operations only count
T1|acq(l)
T1|acq(l)
T1|rel(l)
T1|rel(l)
T2|acq(l)
T2|rel(l)
ok rf pattern 0 3 : 0-3
ok rf pattern 4 0 : 4 5 0-3
no rf pattern 4 : 0 1 2 4 : T1 holds l
no rf pattern 1 : 4 0 : T2 holds l

== nested reading only counts
T1|racq(l)
T1|racq(l)
T1|rrel(l)
T1|rrel(l)
T2|acq(l)
T2|rel(l)
no rf pattern 4 : 0 1 2 4 : 1 threads hold l for reading
ok rf pattern 4 : 0 1 2 3 4
ok rf pattern 4 0 : 4 5 0 1 2 3

== a try that succeeded takes the lock like any other
T1|acq(l,try)
T1|rel(l)
T2|acq(l)
T2|rel(l)
ok rf pattern 2 0 : 2 3 0
no rf pattern 2 0 : 2 0 : T2 holds l
no rf pattern 0 2 : 0 2 : T1 holds l
