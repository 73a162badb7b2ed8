# The flag is seen by a load that acquires nothing.
# race: none
# order: 0-3
# note: acquire load at a.c:2 is relaxed
T1|w(x=1)|a.c:0
T1|aw.rel(f=1)|a.c:1
T2|ar.rlx(f=1)|a.c:2
T2|r(x=1)|a.c:3
