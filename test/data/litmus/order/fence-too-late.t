# The release fence comes after the store.
# race: none
# order: 0-4
# note: release store at a.c:1 is relaxed
T1|w(x=1)|a.c:0
T1|aw.rlx(f=1)|a.c:1
T1|fence.rel()|a.c:2
T2|ar.acq(f=1)|a.c:3
T2|r(x=1)|a.c:4
