# Figure 5 of the nondeterminism paper: 0 cannot see 22. That needs the scopes of
# T3 and T4, one of which is over before the other; so both T1 and T2 are in
# theirs, and one of these is over, whose read of p happens behind 0. No path
# leads from 0 to 22 but by these choices.
# race: 1-4 1-8 3-12 3-17 7-13 7-18 11-20 16-21
# nondet: 4<-1:crw 8<-1:crw 12<-1:crw 13<-1:crw 17<-1:crw 18<-1:crw 20<-1:crw 21<-1:crw
T0|r(z)|f.c:0
T0|w(p)|f.c:1
T1|acq(l1)|f.c:2
T1|w(q1)|f.c:3
T1|r(p)|f.c:4
T1|rel(l1)|f.c:5
T2|acq(l1)|f.c:6
T2|w(q2)|f.c:7
T2|r(p)|f.c:8
T2|rel(l1)|f.c:9
T3|acq(l2)|f.c:10
T3|w(s3)|f.c:11
T3|r(q1)|f.c:12
T3|r(q2)|f.c:13
T3|rel(l2)|f.c:14
T4|acq(l2)|f.c:15
T4|w(s4)|f.c:16
T4|r(q1)|f.c:17
T4|r(q2)|f.c:18
T4|rel(l2)|f.c:19
T5|r(s3)|f.c:20
T5|r(s4)|f.c:21
T5|w(z)|f.c:22
