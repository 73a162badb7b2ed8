# A fence on the reading side only.
# race: none
# order: 0-4
# note: release store at a.c:1 is relaxed
T1|w(x=1)|a.c:0
T1|aw.rlx(f=1)|a.c:1
T2|ar.rlx(f=1)|a.c:2
T2|fence.acq()|a.c:3
T2|r(x=1)|a.c:4
