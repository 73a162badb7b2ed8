# Release and acquire: synchronised.
# race: none
# order: none
T1|w(x=1)|a.c:0
T1|aw.rel(f=1)|a.c:1
T2|ar.acq(f=1)|a.c:2
T2|r(x=1)|a.c:3
