# A wait on the writer's side of a read-write lock: pthreads has no such thing.
T0|fork(T1)|
T1|racq(l)|
T1|rrel(l)|
T1|acq(l)|
T1|wait(c,l)|
T0|racq(l)|
T0|w(x=1)|
T0|notify(c)|
T0|rrel(l)|
T1|wake(c,l)|
T1|r(x=1)|
T1|rel(l)|
T0|join(T1)|
