# A reader that wants to write.
# misuse: 1 taken-twice
T1|racq(l)|a.c:0
T1|acq(l)|a.c:1
T1|rel(l)|a.c:2
T1|rrel(l)|a.c:3
T2|w(x)|a.c:4
