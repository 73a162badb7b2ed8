# A condition variable hands a value over. The consumer waits until the producer
# says that there is something; `wait` gives the lock back, `wake` has it again.
# The box is safe in every run. `served` is not: the producer counts after it has
# released the lock.
*|init(full=0)|
*|init(served=0)|
main|fork(consumer)|handoff.c:30
main|fork(producer)|handoff.c:31
consumer|acq(m)|handoff.c:8
consumer|r(full=0)|handoff.c:9
consumer|wait(c,m)|handoff.c:10
producer|acq(m)|handoff.c:19
producer|w(box=42)|handoff.c:20
producer|w(full=1)|handoff.c:21
producer|notify(c)|handoff.c:22
producer|rel(m)|handoff.c:23
consumer|wake(c,m)|handoff.c:10
consumer|r(full=1)|handoff.c:9
consumer|r(box=42)|handoff.c:12
consumer|w(served=1)|handoff.c:13
consumer|rel(m)|handoff.c:14
producer|r(served=1)|handoff.c:24
main|join(consumer)|handoff.c:32
main|join(producer)|handoff.c:33
