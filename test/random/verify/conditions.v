== a wait gives up its lock and takes it back
T1|acq(l)
T1|wait(c,l)
T2|acq(l)
T2|notify(c)
T2|rel(l)
T1|wake(c,l)
T1|rel(l)
ok rf pattern 1 3 5 : 0-6
ok rf pattern 1 2 : 0 1 2
no rf pattern 2 : 0 2 : T1 holds l
no rf pattern 5 : 0-3 5 : T2 holds l
no rf pattern 5 : 0 1 5 : no notify is left
no rf pattern 5 : 2-4 0 1 5 : step 5: T1:2 wake(c,l): no notify is left for the return of the wait

== one notify serves one return
T1|wait(c)
T2|wait(c)
T3|notify(c)
T1|wake(c)
T3|notify(c)
T2|wake(c)
ok rf pattern 3 5 : 0-5
ok rf pattern 5 3 : 0 1 2 5 4 3
ok rf pattern 5 3 : 0 1 2 4 5 3
no rf pattern 3 5 : 0-3 5 : step 4: T2:1 wake(c): no notify is left
no rf pattern 3 5 : 0 2 3 1 5 : no notify is left
ok rf pattern 3 5 : 0 2 3 1 4 5
no rf pattern 3 5 : 0 2 4 1 3 5 : step 5

== a notifyall serves any number
T1|wait(c)
T2|wait(c)
T3|notifyall(c)
T1|wake(c)
T2|wake(c)
ok rf pattern 3 4 : 0-4
no rf pattern 4 : 0 2 1 4 : no notify is left
ok rf pattern 3 : 0 2 1 3

== a return that a notifyall serves leaves the notify to another
T1|wait(c)
T3|notifyall(c)
T2|wait(c)
T3|notify(c)
T1|wake(c)
T2|wake(c)
ok rf pattern 4 5 : 0-5
ok rf pattern 5 4 : 0 1 2 3 5 4
no rf pattern 5 : 0 1 2 5 : no notify is left

== the earliest notify goes first
T1|wait(c)
T3|notify(c)
T2|wait(c)
T3|notify(c)
T1|wake(c)
T2|wake(c)
ok rf pattern 4 5 : 0-5
ok rf pattern 5 4 : 0 1 2 3 5 4
no rf pattern 4 5 : 0 1 3 2 4 5 : step 5: T2:1 wake(c)

== timeouts and spurious returns need no notify
T1|acq(l)
T1|wait(c,l)
T1|wake(c,l,timeout)
T1|rel(l)
T2|wait(c)
T2|wake(c,spurious)
T3|acq(l)
T3|rel(l)
ok rf pattern 2 5 : 0-5
no rf pattern 2 : 0 1 6 2 : T3 holds l

== a bare wait returns with the next event, whatever it is
T1|wait(c)
T2|w(x)
T2|notify(c)
T1|r(x)
ok rf pattern 2 3 : 0-3
no rf pattern 3 : 0 3 : no notify is left
no rf pattern 3 : 1 2 0 3 : no notify is left
no rf race 1 3 : 0 : claim: T1:1 r(x): no notify is left for the return
no rf race 1 3 : 0 1 : claim: T2:0 w(x): is in the sequence already

== a race of a return needs its notify
T1|wait(c)
T2|notify(c)
T2|w(x)
T1|r(x)
ok rf race 2 3 : 0 1
no rf race 2 3 : 1 0 : no notify is left for the return

== two racing returns do not count on one notify
T1|wait(c)
T2|wait(c)
T3|notify(c)
T3|notify(c)
T1|w(x)
T2|w(x)
ok rf race 4 5 : 0-3
no rf race 4 5 : 0-2 : claim: T2:1 w(x): no notify is left for the return
no rf race 5 4 : 0-2 : claim: T1:1 w(x): no notify is left for the return
no rf race 4 5 : 0 2 1 : no notify is left
no rf race 4 5 : 0 2 3 1 : no notify is left
ok rf race 5 4 : 0 2 1 3

== two racing returns and a notifyall
T1|wait(c)
T2|wait(c)
T3|notifyall(c)
T1|w(x)
T2|w(x)
ok rf race 3 4 : 0-2
no rf race 3 4 : 0 2 1 : claim: T2:1 w(x): no notify is left for the return

== the depth of a lock survives the wait
T1|acq(l)
T1|acq(l)
T1|wait(c,l)
T2|acq(l)
T2|notify(c)
T2|rel(l)
T1|wake(c,l)
T1|rel(l)
T1|w(x)
T1|rel(l)
T2|acq(l)
T2|w(x)
T2|rel(l)
ok rf pattern 2 10 : 0-12
no rf pattern 10 : 0-7 10 : T1 holds l
no rf race 8 11 : 0-7 : claim

== a notify of another condition does not help
T1|wait(c)
T2|notify(d)
T2|notify(c)
T1|wake(c)
no rf pattern 3 : 0 1 3 : no notify is left
ok rf pattern 3 : 0-3
