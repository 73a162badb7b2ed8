# A fence on the writing side only.
# race: none
# order: 0-4
# note: acquire load at a.c:3 is relaxed
T1|w(x=1)|a.c:0
T1|fence.rel()|a.c:1
T1|aw.rlx(f=1)|a.c:2
T2|ar.rlx(f=1)|a.c:3
T2|r(x=1)|a.c:4
