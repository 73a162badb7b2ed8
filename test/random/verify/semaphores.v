== the count stays above zero
T1|seminit(s,1)
T1|down(s)
T1|up(s)
T2|down(s)
T2|up(s)
ok rf pattern 1 3 : 0-4
ok rf pattern 3 1 : 0 3 4 1 2
no rf pattern 3 1 : 0 3 1 : step 2: T1:1 down(s): the count is 0
no rf pattern 3 : 3 : comes before a seminit

== without seminit the least count that explains the trace
T1|down(s)
T2|down(s)
T1|up(s)
T2|up(s)
T3|down(s)
ok rf pattern 4 0 : 4 0
ok rf pattern 0 1 : 0 1
no rf pattern 4 0 1 : 4 0 1 : the count is 0
ok rf pattern 4 0 1 : 4 0 2 1

== a failed try finds the count at zero
T1|down(s)
T2|semfail(s)
T1|up(s)
ok rf pattern 0 1 2 : 0-2
no rf pattern 1 : 1 : the count is 1, not 0
no rf pattern 1 : 0 2 1 : the count is 1, not 0

== seminit keeps its place
T1|up(s)
T2|seminit(s,0)
T3|up(s)
T1|down(s)
ok rf pattern 0 1 2 3 : 0-3
no rf pattern 1 : 1 : 1 operations on the semaphore precede it in the trace, here 0
no rf pattern 2 : 2 : comes before a seminit
no rf pattern 2 : 0 2 : comes before a seminit
no rf pattern 3 : 0 1 3 : the count is 0

== two seminits
T1|seminit(s,2)
T1|down(s)
T1|seminit(s,5)
T2|down(s)
ok rf pattern 1 3 : 0-3
no rf pattern 3 : 0 3 : comes before a seminit
no rf pattern 3 : 0 1 3 : comes before a seminit
