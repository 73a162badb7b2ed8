# Atomic accesses of every order and size, fences, and a variable that is
# accessed both ways.
T0|fork(T1)|m.c:1
T0|w(data=42)|m.c:2
T0|aw.rel(flag=1)|m.c:3
T1|ar.acq(flag=1)|m.c:10
T1|r(data=42)|m.c:11
T1|rmw(count=0:1)|m.c:12
T0|rmw.rlx(count=1:2)|m.c:4
T0|rmw.acq(count=2:3)|m.c:5
T0|rmw.rel(count=3:)|m.c:6
T1|rmw.acqrel(count=9:10)|m.c:13
T1|fence.sc()|m.c:14
T1|fence.acq()|m.c:15
T1|fence.rel()|m.c:16
T1|fence.acqrel()|m.c:17
T1|aw.rlx(mixed=3)|m.c:18
T0|r(mixed=3)|m.c:7
T0|w(mixed=4)|m.c:8
T1|ar.rlx(mixed=4)|m.c:19
T1|aw(bytes+0:1=200)|m.c:20
T1|aw(bytes+2:2=-1)|m.c:21
T0|ar(bytes+2:2=-1)|m.c:9
T0|ar(bytes+0:1=200)|m.c:9
T0|aw(state=open)|m.c:9
T1|ar(state=open)|m.c:22
T0|join(T1)|m.c:9
